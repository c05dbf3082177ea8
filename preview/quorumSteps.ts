import type { MachineChange } from "./machineChange";

/** How etcd stands while one control plane machine is away. */
export interface QuorumStep {
  readonly machine: string;
  /** How many members there are that count. */
  readonly members: number;
  /** How many of them are well meanwhile. */
  readonly healthy: number;
  /** How many have to be. */
  readonly needed: number;
  readonly holds: boolean;
}

/**
 * How etcd stands at each step of a change that takes control plane machines away one after
 * another, as `TalosCluster` does it: the next one's turn comes when etcd is well again. A machine
 * that is removed leaves etcd first; one that is replaced leaves when the other has joined.
 *
 * @param members how many control plane machines there are before the change
 */
export function quorumSteps(
  machines: readonly MachineChange[],
  members: number,
): readonly QuorumStep[] {
  const steps: QuorumStep[] = [];
  let left = members;
  for (const { name, role, effect } of machines) {
    const isAway = effect === "reboot" || effect === "restart";
    if (role !== "controlplane" || !(isAway || effect === "replaced" || effect === "removed")) {
      continue;
    }
    left -= effect === "removed" ? 1 : 0;
    const healthy = isAway ? left - 1 : left;
    const needed = Math.floor(left / 2) + 1;
    steps.push({ machine: name, members: left, healthy, needed, holds: healthy >= needed });
  }
  return steps;
}
