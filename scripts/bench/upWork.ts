import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PulumiCommand, Stack } from "@pulumi/pulumi/automation";
import { ConfigurationApply } from "../../provider";
import { openStack } from "../openStack";
import { paths } from "../paths";
import { type Fleet, type FleetMachine, forwardedWorkers } from "./fleet";
import { startFleetProcess } from "./fleetProcess";
import { median } from "./median";

/** What `pulumi up` takes when one machine changes that is all there is, and when many do. */
export interface UpMeasurement {
  readonly machines: number;
  readonly delayMs: number;
  readonly oneSeconds: number;
  readonly allSeconds: number;
}

/** How often each is measured; the median counts. */
const ROUNDS = 3;

/** How much the engine does at once: as `talos-aws up` has it. */
const PARALLEL = 100;

/**
 * Has the real engine change a label of the only machine of one stack, and of all machines of another.
 *
 * @param program what runs `serveFleet` when its first argument is `fleet`
 */
export async function measureUp(
  program: string,
  engine: PulumiCommand,
  { machines: count, delayMs }: Pick<UpMeasurement, "machines" | "delayMs">,
): Promise<UpMeasurement> {
  const process = await startFleetProcess(program, {
    controlPlanes: 1,
    workers: count + 1,
    delayMs,
  });
  await mkdir(join(paths.cache, "bench"), { recursive: true });
  const folder = await mkdtemp(join(paths.cache, "bench", "up-"));
  try {
    const { fleet } = process;
    const [first, ...others] = forwardedWorkers(fleet);
    if (first === undefined) {
      throw new Error("the fleet has no worker");
    }
    const one = await FleetStack.open(join(folder, "one"), engine, fleet, [first]);
    const all = await FleetStack.open(join(folder, "all"), engine, fleet, others);
    const times: { one: number; all: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      times.push({
        one: await one.change(`round-${round}`),
        all: await all.change(`round-${round}`),
      });
    }
    return {
      machines: others.length,
      delayMs,
      oneSeconds: median(times.map((time) => time.one)),
      allSeconds: median(times.map((time) => time.all)),
    };
  } finally {
    process.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A stack with a `ConfigurationApply` of each of some machines, which have a label. */
class FleetStack {
  private constructor(
    private readonly stack: Stack,
    private readonly settings: { label: string },
    private readonly size: number,
  ) {}

  /** Opens one and brings it up. */
  static async open(
    stateDir: string,
    engine: PulumiCommand,
    fleet: Fleet,
    machines: readonly FleetMachine[],
  ): Promise<FleetStack> {
    const settings = { label: "first" };
    const stack = await openStack({
      stack: "local",
      program: () => {
        for (const { address, endpoint, patches } of machines) {
          new ConfigurationApply(address, {
            machineId: address,
            node: address,
            endpoint,
            credentials: fleet.credentials,
            machineConfiguration: fleet.configurations.worker,
            patches: [
              ...patches,
              { machine: { nodeLabels: { "example.com/round": settings.label } } },
            ],
            timeoutSeconds: 300,
          });
        }
        return Promise.resolve({});
      },
      engine,
      stateDir,
      environment: {},
      settings: "config: {}",
    });
    await stack.up({ parallel: PARALLEL });
    return new FleetStack(stack, settings, machines.length);
  }

  /** Gives the machines another label; resolves to the seconds that the engine took. */
  async change(label: string): Promise<number> {
    this.settings.label = label;
    const start = performance.now();
    const { summary } = await this.stack.up({ parallel: PARALLEL });
    const seconds = (performance.now() - start) / 1000;
    const updated = summary.resourceChanges?.update ?? 0;
    if (updated !== this.size) {
      throw new Error(`${updated} machines of ${this.size} were changed`);
    }
    return seconds;
  }
}
