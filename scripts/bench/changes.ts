import { fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { serve } from "../../provider/serve";
import type { Fleet, FleetMachine } from "./fleet";
import { processUsage } from "./fleetProcess";

/** What `ConfigurationApply` has recorded of machines, by address. */
export type MachineStates = Readonly<Record<string, Record<string, unknown>>>;

/** Changes of the same machines, one after the other: all of them get a label, at once. */
export interface ChangeJob {
  readonly fleet: Pick<Fleet, "credentials" | "configurations">;
  readonly machines: readonly FleetMachine[];
  readonly labels: readonly string[];
  readonly states: MachineStates;
}

/** What came of it. */
export interface ChangeOutcome {
  /** What all of it took. */
  readonly seconds: number;
  /** The processor time of all threads for it. */
  readonly cpuSeconds: number;
  /** Of all machines, also of those that were not changed. */
  readonly states: MachineStates;
}

/**
 * Makes changes in a new process, as the engine starts its plugin anew for each run. It has loaded
 * the package before the time counts, and done nothing else.
 *
 * @param program what runs `serveChanges` when its first argument is `changes`
 */
export async function makeChanges(program: string, job: ChangeJob): Promise<ChangeOutcome> {
  const child = fork(program, ["changes"]);
  child.send(job);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the process that changes machines ended with ${String(code)}`);
  });
  try {
    const [outcome] = (await Promise.race([once(child, "message"), ended])) as [ChangeOutcome];
    return outcome;
  } finally {
    ended.catch(() => undefined);
    child.disconnect();
  }
}

/** Is the process that was started. */
export async function serveChanges(): Promise<void> {
  process.on("disconnect", () => process.exit());
  const [job] = (await once(process, "message")) as [ChangeJob];
  process.send?.(await changeMachines(job));
}

async function changeMachines({
  fleet,
  machines,
  labels,
  states: before,
}: ChangeJob): Promise<ChangeOutcome> {
  const states = { ...before };
  const start = { seconds: performance.now() / 1000, cpuSeconds: processUsage().cpuSeconds };
  for (const label of labels) {
    const changes: Promise<void>[] = [];
    for (const machine of machines) {
      changes.push(
        changeMachine(fleet, machine, label, states[machine.address]).then((state) => {
          states[machine.address] = state;
        }),
      );
      // The engine asks by messages, between which a plugin's process does other things too.
      await setImmediate();
    }
    await Promise.all(changes);
  }
  return {
    seconds: performance.now() / 1000 - start.seconds,
    cpuSeconds: processUsage().cpuSeconds - start.cpuSeconds,
    states,
  };
}

/** Resolves to what is then recorded of the machine. */
async function changeMachine(
  { credentials, configurations }: ChangeJob["fleet"],
  { address: node, endpoint, patches }: FleetMachine,
  label: string,
  state: Record<string, unknown> | undefined,
): Promise<Record<string, unknown>> {
  const handler = serve("ConfigurationApply");
  const labelled = `machine: {nodeLabels: {example.com/round: "${label}"}}`;
  const { inputs, failures } = await handler.check(
    {},
    {
      machineId: node,
      node,
      endpoint,
      credentials,
      machineConfiguration: configurations.worker,
      patches: [...patches, labelled],
      mode: "auto",
      timeoutSeconds: 300,
      redactedConfiguration: "",
    },
  );
  if (failures.length > 0) {
    throw new Error(failures.map(({ reason }) => reason).join("\n"));
  }
  if (state === undefined) {
    return (await handler.create(inputs)).outs;
  }
  if ((await handler.diff(node, state, inputs)).changes === false) {
    throw new Error(`a change of ${node} was not seen`);
  }
  return (await handler.update(node, state, inputs)).outs;
}
