import { readMachineState } from "../../provider/api/machineState";
import { TalosClient } from "../../provider/api/talosClient";
import { talosResources } from "../../provider/api/talosResources";
import { waitFor } from "../../provider/api/waitFor";
import { type ChangeOutcome, makeChanges, type MachineStates } from "./changes";
import { alike, type Fleet, type FleetMachine, forwardedWorkers } from "./fleet";
import { type FleetProcess, startFleetProcess } from "./fleetProcess";
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
  /** The workers of a pool: all have the same configuration, and a control plane machine forwards. */
  readonly pool: ChangeTimes;
  /** A control plane machine forwards, and each machine has a patch of its own. */
  readonly differing: ChangeTimes;
  /** Each machine is dialled itself, and has a patch of its own. */
  readonly direct: ChangeTimes;
}

/** What a cluster of simulated machines takes. */
export interface MemoryMeasurement {
  readonly controlPlanes: number;
  readonly workers: number;
  readonly peakMiB: number;
}

/** How often a change is measured; the median counts. */
const ROUNDS = 7;

/** How often all machines are changed before that, as simulated ones are slow at first. */
const WARM_UPS = 10;

/**
 * Has the handler of `ConfigurationApply` change a label of one machine, and of many, each time in a
 * process of its own, as the engine's plugin is; from its check until the machine says that it runs
 * the configuration.
 *
 * @param program what runs `serveFleet` when its first argument is `fleet`, and `serveChanges` when
 * it is `changes`
 */
export async function measureApply(
  program: string,
  { machines: count, delayMs }: Pick<ApplyMeasurement, "machines" | "delayMs">,
): Promise<ApplyMeasurement> {
  const process = await startFleetProcess(program, { controlPlanes: 1, workers: count, delayMs });
  try {
    const { fleet } = process;
    const workers = fleet.machines.filter(({ machineType }) => machineType === "worker");
    const changes = new Changes(program, process);
    return {
      machines: count,
      delayMs,
      pool: await changes.measure(alike(forwardedWorkers(fleet))),
      differing: await changes.measure(forwardedWorkers(fleet)),
      direct: await changes.measure(workers),
    };
  } finally {
    process.stop();
  }
}

/** The changes of a fleet's machines, which have a state between them. */
class Changes {
  private states: MachineStates = {};
  private count = 0;

  constructor(
    private readonly program: string,
    private readonly process: FleetProcess,
  ) {}

  async measure(machines: readonly FleetMachine[]): Promise<ChangeTimes> {
    await this.make(machines, WARM_UPS);
    const one: ChangeOutcome[] = [];
    const all: (ChangeOutcome & { readonly cpuSecondsOfMachines: number })[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await this.make(machines.slice(round, round + 1)));
      const before = await this.process.usage();
      const outcome = await this.make(machines);
      const { cpuSeconds } = await this.process.usage();
      all.push({ ...outcome, cpuSecondsOfMachines: cpuSeconds - before.cpuSeconds });
    }
    const eachMs = (seconds: readonly number[]) => (median(seconds) * 1000) / machines.length;
    return {
      oneSeconds: median(one.map(({ seconds }) => seconds)),
      allSeconds: median(all.map(({ seconds }) => seconds)),
      cpuMs: {
        handlers: eachMs(all.map(({ cpuSeconds }) => cpuSeconds)),
        machines: eachMs(all.map(({ cpuSecondsOfMachines }) => cpuSecondsOfMachines)),
      },
    };
  }

  /** Gives machines some labels, one after the other. */
  private async make(machines: readonly FleetMachine[], times = 1): Promise<ChangeOutcome> {
    const labels = Array.from({ length: times }, () => `change-${this.count++}`);
    const { fleet } = this.process;
    const outcome = await makeChanges(this.program, {
      fleet,
      machines,
      labels,
      states: this.states,
    });
    this.states = outcome.states;
    return outcome;
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
          : { done: false, status: `it is ${stage} and knows ${members.length} machines` };
      },
      isFatal: () => false,
    });
    client.close();
  }
}
