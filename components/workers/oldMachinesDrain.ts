import type { KubernetesNode } from "../../provider/kubernetes";
import {
  CORDONED_ANNOTATION,
  cordonNode,
  deleteNode,
  type KubernetesAccess,
  letPodsIn,
  listNodes,
  PodEvictions,
} from "../../provider/lifecycle";
import { accessOf, type NodeObserver } from "./nodeObserver";
import type { PoolMachine, PoolMachines } from "./poolMachines";

/**
 * Moves pods off the machines of a group that AWS is about to replace. It cordons all of them at
 * once, and drains as many as new machines are ready. AWS chooses which machine ends, and when. A
 * machine that ends earlier is not drained. In a group of one machine, such as a zone of a small
 * pool, there is no other choice.
 */
export class OldMachinesDrain {
  private readonly access: KubernetesAccess;
  private readonly evictions: PodEvictions;
  private readonly reason: string;

  constructor(observer: NodeObserver, groupName: string, warn: (line: string) => void) {
    this.access = accessOf(observer);
    this.evictions = new PodEvictions(warn);
    this.reason = `refresh of ${groupName}`;
  }

  /**
   * Continues the drains that are possible now.
   *
   * @returns what pods wait for, in a few words; empty without pods
   * @throws KubernetesApiError if the server refuses
   */
  async look({ old, current }: PoolMachines, signal: AbortSignal): Promise<string> {
    const nodes = await listNodes(this.access, signal);
    const nodesOf = (machines: readonly PoolMachine[]) =>
      machines.flatMap(
        ({ privateAddress }) => nodes.find((node) => hasAddress(node, privateAddress)) ?? [],
      );
    const leaving = nodesOf(old).sort((one, other) => (one.name < other.name ? -1 : 1));
    await Promise.all(leaving.map((node) => cordonNode(this.access, node, this.reason, signal)));
    await this.removeGone(nodes, [...old, ...current], signal);
    const successors = nodesOf(current).filter(({ isReady }) => isReady).length;
    const turn = leaving.filter(({ isReady }) => isReady).slice(0, successors);
    const left = await Promise.all(
      turn.map((node) => this.evictions.evictFrom(this.access, node.name, signal)),
    );
    return left.flatMap(({ seen }) => (seen === "" ? [] : [seen])).join("; ");
  }

  /** Removes the nodes of deleted machines from Kubernetes, unless a cloud controller did. */
  async end({ current }: PoolMachines, signal: AbortSignal): Promise<void> {
    await this.removeGone(await listNodes(this.access, signal), current, signal);
  }

  /** Uncordons machines that stay, because AWS has given up. */
  async giveUp(signal: AbortSignal): Promise<void> {
    const nodes = this.ownOf(await listNodes(this.access, signal));
    await Promise.all(nodes.map((node) => letPodsIn(this.access, node, signal)));
  }

  /** One that stays keeps its pods where they are, so the rollout of a DaemonSet waits for it. */
  private async removeGone(
    nodes: readonly KubernetesNode[],
    machines: readonly PoolMachine[],
    signal: AbortSignal,
  ): Promise<void> {
    const gone = this.ownOf(nodes).filter(
      (node) => !machines.some(({ privateAddress }) => hasAddress(node, privateAddress)),
    );
    await Promise.all(gone.map((node) => deleteNode(this.access, node, signal)));
  }

  /** Those that were cordoned for this. */
  private ownOf(nodes: readonly KubernetesNode[]): readonly KubernetesNode[] {
    return nodes.filter(({ annotations }) => annotations[CORDONED_ANNOTATION] === this.reason);
  }
}

function hasAddress({ addresses }: KubernetesNode, address: string): boolean {
  return addresses.includes(address);
}
