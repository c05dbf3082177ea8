import { setImmediate, setTimeout } from "node:timers/promises";
import { readMachineState } from "../provider/api/machineState";
import { TalosClient } from "../provider/api/talosClient";
import { talosResources } from "../provider/api/talosResources";
import { waitFor } from "../provider/api/waitFor";
import { serve } from "../provider/serve";
import { type Fleet, type FleetMachine, forwardedWorkers } from "./fleet";
import { type FleetProcess, processUsage, startFleetProcess } from "./fleetProcess";
import { median } from "./median";

/** What a change of one machine takes, and the same change of many at once. */
export interface ChangeTimes {
  readonly oneSeconds: number;
  readonly allSeconds: number;
  /** The processor time that each of the many takes: of the handlers, and of the simulated machines. */
  readonly cpuMs: { readonly handlers: number; readonly machines: number };
}

/** What changes take, by the way to the machines. */
export interface ApplyMeasurement {
  readonly machines: number;
  readonly delayMs: number;
  /** A control plane machine forwards, as for the workers of a `TalosCluster`. */
  readonly forwarded: ChangeTimes;
  /** Each machine is dialled itself. */
  readonly direct: ChangeTimes;
}

/** What a cluster of simulated machines takes. */
export interface MemoryMeasurement {
  readonly controlPlanes: number;
  readonly workers: number;
  readonly peakMiB: number;
}

/** How often a change is measured; the median counts. */
const rounds = 5;

/** How often all machines are changed before that. */
const warmUps = 10;

/** After that long nothing is left of a connection that nobody uses: each round makes new ones. */
const idleMs = 6_000;

/**
 * Has the handler of `ConfigurationApply` change a label of one machine, and of many, in this process,
 * as the engine's plugin does; from its check until the machine says that it runs the configuration.
 */
export async function measureApply(
  program: string,
  { machines: count, delayMs }: Pick<ApplyMeasurement, "machines" | "delayMs">,
): Promise<ApplyMeasurement> {
  const process = await startFleetProcess(program, { controlPlanes: 1, workers: count, delayMs });
  try {
    const { fleet } = process;
    const workers = fleet.machines.filter(({ machineType }) => machineType === "worker");
    const forwarded = forwardedWorkers(fleet);
    const changes = new Changes(fleet);
    for (let round = 0; round < warmUps; round++) {
      await changes.make(workers, `warm-up-${round}-direct`);
      await changes.make(forwarded, `warm-up-${round}-forwarded`);
    }
    return {
      machines: count,
      delayMs,
      forwarded: await measureChanges(process, changes, forwarded),
      direct: await measureChanges(process, changes, workers),
    };
  } finally {
    process.stop();
  }
}

async function measureChanges(
  process: FleetProcess,
  changes: Changes,
  machines: readonly FleetMachine[],
): Promise<ChangeTimes> {
  const usage = async () => ({
    handlers: processUsage().cpuSeconds,
    machines: (await process.usage()).cpuSeconds,
  });
  const one: number[] = [];
  const all: number[] = [];
  const cpu: { handlers: number; machines: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    await setTimeout(idleMs);
    one.push(await changes.make(machines.slice(round, round + 1), `${round}-one`));
    await setTimeout(idleMs);
    const before = await usage();
    all.push(await changes.make(machines, `${round}-all`));
    const after = await usage();
    cpu.push({
      handlers: ((after.handlers - before.handlers) * 1000) / machines.length,
      machines: ((after.machines - before.machines) * 1000) / machines.length,
    });
  }
  return {
    oneSeconds: median(one),
    allSeconds: median(all),
    cpuMs: {
      handlers: median(cpu.map(({ handlers }) => handlers)),
      machines: median(cpu.map(({ machines }) => machines)),
    },
  };
}

/** The changes of a fleet's machines, each of which has a state between them. */
class Changes {
  private readonly states = new Map<string, Record<string, unknown>>();

  constructor(private readonly fleet: Fleet) {}

  /** Gives machines a label, all at once; resolves to the seconds that it took. */
  async make(machines: readonly FleetMachine[], label: string): Promise<number> {
    const start = performance.now();
    const changes: Promise<void>[] = [];
    for (const machine of machines) {
      changes.push(this.change(machine, label));
      // The engine asks by messages, between which a plugin's process does other things too.
      await setImmediate();
    }
    await Promise.all(changes);
    return (performance.now() - start) / 1000;
  }

  private async change(machine: FleetMachine, label: string): Promise<void> {
    const handler = serve("ConfigurationApply");
    const labelled = `machine: {nodeLabels: {example.com/round: "${label}"}}`;
    const { address: node, endpoint, patch } = machine;
    const { inputs, failures } = await handler.check(
      {},
      {
        machineId: node,
        node,
        endpoint,
        credentials: this.fleet.credentials,
        machineConfiguration: this.fleet.configurations.worker,
        patches: [patch, labelled],
        mode: "auto",
        timeoutSeconds: 300,
        redactedConfiguration: "",
      },
    );
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    const state = this.states.get(node);
    if (state === undefined) {
      this.states.set(node, (await handler.create(inputs)).outs);
      return;
    }
    if ((await handler.diff(node, state, inputs)).changes === false) {
      throw new Error(`a change of ${node} was not seen`);
    }
    this.states.set(node, (await handler.update(node, state, inputs)).outs);
  }
}

/** Runs a cluster until each machine says that it runs, and knows all the others. */
export async function measureMemory(
  program: string,
  { controlPlanes, workers }: Omit<MemoryMeasurement, "peakMiB">,
): Promise<MemoryMeasurement> {
  const process = await startFleetProcess(program, { controlPlanes, workers });
  try {
    await awaitCluster(process.fleet, controlPlanes);
    const { peakMiB } = await process.usage();
    return { controlPlanes, workers, peakMiB };
  } finally {
    process.stop();
  }
}

async function awaitCluster(
  { machines, credentials }: Fleet,
  controlPlanes: number,
): Promise<void> {
  const clients = machines.map(({ endpoint }) => TalosClient.connect({ endpoint, credentials }));
  await clients[0]?.bootstrap();
  for (const [index, client] of clients.entries()) {
    await waitFor<undefined>({
      what: `machine ${index + 1} to run`,
      deadlineMs: 120_000,
      intervalMs: 100,
      probe: async () => {
        const { stage, ready } = await readMachineState(client);
        const members = await client.listTyped(talosResources.member);
        const voters = index < controlPlanes ? (await client.etcdMembers()).length : controlPlanes;
        const isThere =
          stage === "running" &&
          ready &&
          members.length === machines.length &&
          voters === controlPlanes;
        return isThere
          ? { done: true, value: undefined }
          : { done: false, seen: `it is ${stage} and knows ${members.length} machines` };
      },
      isFatal: () => false,
    });
    client.close();
  }
}
