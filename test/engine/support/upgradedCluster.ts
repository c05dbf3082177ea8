import { TalosCluster, type TalosClusterArgs } from "../../../components";
import type { EmulatedNode } from "../../../emulator";
import { askEndpoint } from "./askEndpoint";
import { controlPlaneAlone } from "./controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "./engineWorld";
import { Probe } from "./probe";
import { outputsIn, storedResources } from "./storedResources";

/** How often a watch looks. A machine boots in 200 ms. */
const LOOK_MS = 10;

export const CONTROL_PLANES = ["c-control-plane-1", "c-control-plane-2", "c-control-plane-3"];
export const WORKERS = ["c-apps-1", "c-apps-2"];
const MACHINES = [...CONTROL_PLANES, ...WORKERS];

const base: TalosClusterArgs = {
  ...controlPlaneAlone,
  network: { zones: ["us-east-1a"] },
  controlPlane: { machineCount: 3 },
  workerPools: { apps: { machineCount: 2 } },
};

/** A cluster named `c` of three and two machines, whose releases change. */
export class UpgradedCluster {
  private constructor(
    readonly world: EngineWorld,
    private readonly current: { args: TalosClusterArgs },
    /** Names of machines by their instance ids. */
    private readonly names: ReadonlyMap<string, string>,
  ) {}

  /** Starts a world and brings the cluster up in it. `world.close()` ends both. */
  static async start(releases: Partial<TalosClusterArgs>): Promise<UpgradedCluster> {
    const current = { args: { ...base, ...releases } };
    const world = await startEngineWorld({
      program: () => {
        const { nodes, kubeconfig } = new TalosCluster("c", current.args);
        return Promise.resolve({ nodes, kubeconfig });
      },
    });
    try {
      const { outputs } = await world.stack.up(world.record);
      const nodes = outputs.nodes?.value as readonly { instanceId: string; name: string }[];
      const names = new Map(nodes.map(({ instanceId, name }) => [instanceId, name]));
      return new UpgradedCluster(world, current, names);
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  get args(): TalosClusterArgs {
    return this.current.args;
  }

  /** Changes arguments for the next run. */
  want(change: Partial<TalosClusterArgs>): void {
    this.current.args = { ...this.current.args, ...change };
  }

  readonly up = (options: object = {}, stack = this.world.stack) =>
    stack.up({ ...this.world.record, ...options });

  /** The same, while the endpoint is asked for what only an API server with etcd's majority answers. */
  async upWhileAsked(): Promise<void> {
    const { plaintext } = outputsIn(await storedResources(this.world.stack)).kubeconfig as {
      readonly plaintext: string;
    };
    const kubeconfig = JSON.parse(plaintext) as string;
    const probe = new Probe(() => askEndpoint(this.world, kubeconfig, "/readyz"));
    try {
      await this.up();
    } finally {
      const { answers, failures } = await probe.stop();
      expect(failures).toEqual([]);
      expect(answers).toBeGreaterThan(10);
    }
  }

  /** Why the preview is refused. */
  async refusal(): Promise<string> {
    const { stack, record } = this.world;
    return String(await stack.preview(record).catch((error: unknown) => error));
  }

  /** Expects that nothing is left to do, also after a refresh. */
  async expectNoChange(): Promise<void> {
    const { stack, record } = this.world;
    const { changeSummary } = await stack.preview({ ...record, refresh: true });
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  }

  machine(name: string): EmulatedNode {
    const found = this.world.emulator
      .nodes()
      .find(({ instanceId }) => this.names.get(instanceId) === name);
    if (found === undefined) {
      throw new Error(`there is no ${name}`);
    }
    return found;
  }

  configurationOf(name: string): string {
    return this.machine(name).machineConfiguration ?? "";
  }

  configurations(): string[] {
    return MACHINES.map((name) => this.configurationOf(name));
  }

  /** The Talos release of each machine. */
  versions(): Record<string, string | undefined> {
    return Object.fromEntries(MACHINES.map((name) => [name, this.machine(name).talosVersion]));
  }

  /**
   * Looks all the time, as a change may be over in a moment.
   *
   * @returns ends it, and gives what `look` found
   */
  watch<Found>(look: () => readonly Found[]): () => Found[] {
    const seen: Found[] = [];
    const timer = setInterval(() => seen.push(...look()), LOOK_MS);
    return () => {
      clearInterval(timer);
      return seen;
    };
  }

  /** The machines that don't run now. */
  away(): string[] {
    return this.world.emulator
      .nodes()
      .filter(({ stage }) => stage !== "running")
      .map(({ instanceId }) => this.names.get(instanceId) ?? instanceId);
  }
}

/** What `versions` gives if all machines run one release. */
export function all(version: string): Record<string, string> {
  return Object.fromEntries(MACHINES.map((name) => [name, version]));
}
