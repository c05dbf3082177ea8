import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type ClusterNode, TalosCluster, type TalosClusterArgs } from "../../../components";
import { TalosClient } from "../../../provider/api/talosClient";
import { eventually } from "../../emulator/support/eventually";
import { type EngineWorld, startEngineWorld } from "./engineWorld";
import { administratorIn, outputsIn, storedResources } from "./storedResources";

/** So long the emulated cloud may take to follow AWS, on a machine with other work. */
export const FOLLOW_MS = 120_000;

/** A cluster of control plane machines alone, named `c`. */
export const controlPlaneAlone = {
  environment: "local",
  domain: "talos.example",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["127.0.0.0/8"],
  dns: { createZone: true },
  applySettledSeconds: 1,
} satisfies Partial<TalosClusterArgs>;

/** Its life: its arguments change, and the engine follows. */
export class ControlPlaneLife {
  private constructor(
    readonly world: EngineWorld,
    private readonly current: { args: TalosClusterArgs },
  ) {}

  /** Starts a world and brings the cluster up in it. */
  static async start(args: TalosClusterArgs): Promise<ControlPlaneLife> {
    const current = { args };
    const world = await startEngineWorld({
      program: () => {
        const { endpoint, nodes } = new TalosCluster("c", current.args);
        return Promise.resolve({ endpoint, nodes });
      },
    });
    try {
      await world.stack.up(world.record);
    } catch (error) {
      await world.close();
      throw error;
    }
    return new ControlPlaneLife(world, current);
  }

  get args(): TalosClusterArgs {
    return this.current.args;
  }

  set args(args: TalosClusterArgs) {
    this.current.args = args;
  }

  /** Changes what the arguments say of the control plane. */
  resize(change: NonNullable<TalosClusterArgs["controlPlane"]>): void {
    this.args = { ...this.args, controlPlane: { ...this.args.controlPlane, ...change } };
  }

  /** The steps that a preview shows, sorted. */
  async preview(): Promise<string[]> {
    const steps: string[] = [];
    await this.world.stack.preview({ onEvent: (event) => steps.push(...stepOf(event)) });
    return steps.sort();
  }

  /** The steps that an `up` takes, sorted. */
  async up(): Promise<string[]> {
    const steps: string[] = [];
    await this.world.stack.up({ onEvent: (event) => steps.push(...stepOf(event)) });
    return steps.sort();
  }

  /** The ids of the machines that are on. */
  ids(): string[] {
    return this.world.emulator.nodes().map(({ instanceId }) => instanceId);
  }

  /** Passes once there are so many machines, all of which run. */
  runs(count: number): Promise<void> {
    return eventually(() => {
      const stages = this.world.emulator.nodes().map(({ stage }) => stage);
      expect(stages).toEqual(Array<string>(count).fill("running"));
    }, FOLLOW_MS);
  }

  /** The cluster's machines, as its output `nodes` has them. */
  async nodes(): Promise<ClusterNode[]> {
    return outputsIn(await storedResources(this.world.stack)).nodes as ClusterNode[];
  }

  /** Whether each member of etcd is a learner still, as one machine sees them. */
  async membersSeenBy(machine: string): Promise<boolean[]> {
    const resources = await storedResources(this.world.stack);
    const nodes = outputsIn(resources).nodes as ClusterNode[];
    const endpoint = nodes.find(({ name }) => name === machine)?.publicAddress ?? "";
    const client = TalosClient.connect({ endpoint, credentials: administratorIn(resources) });
    const members = await client.etcdMembers();
    client.close();
    return members.map(({ isLearner }) => isLearner);
  }
}

/** `update Instance c-control-plane-1` for a step that isn't the same. */
export function stepOf({ resourcePreEvent }: EngineEvent): string[] {
  if (resourcePreEvent === undefined) {
    return [];
  }
  const { op, urn, type } = resourcePreEvent.metadata;
  const kind = type.split(":").at(-1) ?? "";
  const isPart = type.startsWith("talos-aws:") || type.startsWith("pulumi:");
  return op === "same" || op === "read" || isPart
    ? []
    : [`${op} ${kind} ${urn.split("::").at(-1) ?? ""}`];
}
