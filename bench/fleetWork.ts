import { setImmediate } from "node:timers/promises";
import { readMachineState } from "../provider/api/machineState";
import { TalosClient } from "../provider/api/talosClient";
import { talosResources } from "../provider/api/talosResources";
import { waitFor } from "../provider/api/waitFor";
import { serve } from "../provider/serve";
import type { Fleet, FleetMachine } from "./fleet";
import { processUsage, startFleetProcess } from "./fleetProcess";
import { median } from "./median";

/** What a change of one machine takes, and the same change of many at once. */
export interface ApplyMeasurement {
  readonly machines: number;
  readonly delayMs: number;
  readonly oneSeconds: number;
  readonly allSeconds: number;
  /** The processor time that each of the many takes: of the handlers, and of the simulated machines. */
  readonly cpuMs: { readonly handlers: number; readonly machines: number };
}

/** What a cluster of simulated machines takes. */
export interface MemoryMeasurement {
  readonly controlPlanes: number;
  readonly workers: number;
  readonly peakMiB: number;
}

/** How often a change is measured; the median counts. Before that come as many to warm up. */
const rounds = 4;

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
  const usage = async () => ({
    handlers: processUsage().cpuSeconds,
    machines: (await process.usage()).cpuSeconds,
  });
  try {
    const { fleet } = process;
    const workers = fleet.machines.filter(({ machineType }) => machineType === "worker");
    const states = new Map<string, Record<string, unknown>>();
    const change = async (machine: FleetMachine, label: string): Promise<void> => {
      const handler = serve("ConfigurationApply");
      const labelled = `machine: {nodeLabels: {example.com/round: "${label}"}}`;
      const { address: node, endpoint, patch } = machine;
      const { inputs, failures } = await handler.check(
        {},
        {
          machineId: node,
          node,
          endpoint,
          credentials: fleet.credentials,
          machineConfiguration: fleet.configurations.worker,
          patches: [patch, labelled],
          mode: "auto",
          timeoutSeconds: 300,
          redactedConfiguration: "",
        },
      );
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
      const state = states.get(node);
      if (state === undefined) {
        states.set(node, (await handler.create(inputs)).outs);
        return;
      }
      if ((await handler.diff(node, state, inputs)).changes === false) {
        throw new Error(`a change of ${node} was not seen`);
      }
      states.set(node, (await handler.update(node, state, inputs)).outs);
    };
    const timed = async (machines: readonly FleetMachine[], label: string): Promise<number> => {
      const start = performance.now();
      const changes: Promise<void>[] = [];
      for (const machine of machines) {
        changes.push(change(machine, label));
        // The engine asks by messages, between which a plugin's process does other things too.
        await setImmediate();
      }
      await Promise.all(changes);
      const seconds = (performance.now() - start) / 1000;
      await new Promise((resolve) => setTimeout(resolve, idleMs));
      return seconds;
    };
    const one: number[] = [];
    const all: number[] = [];
    const cpu: { handlers: number; machines: number }[] = [];
    for (let round = 0; round < 2 * rounds; round++) {
      const some = workers.slice(round, round + 1);
      const oneSeconds = await timed(some, `${round}-one`);
      const before = await usage();
      const allSeconds = await timed(workers, `${round}-all`);
      const after = await usage();
      if (round < rounds) continue;
      one.push(oneSeconds);
      all.push(allSeconds);
      cpu.push({
        handlers: ((after.handlers - before.handlers) * 1000) / count,
        machines: ((after.machines - before.machines) * 1000) / count,
      });
    }
    return {
      machines: count,
      delayMs,
      oneSeconds: median(one),
      allSeconds: median(all),
      cpuMs: {
        handlers: median(cpu.map(({ handlers }) => handlers)),
        machines: median(cpu.map(({ machines }) => machines)),
      },
    };
  } finally {
    process.stop();
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
