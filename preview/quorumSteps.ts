import type { MachineChange, MachineEffect } from "./machineChange";
import { compareNames } from "./previewedResource";

/** The state of etcd while a control plane machine is away, or after one joined or left. */
export interface QuorumStep {
  readonly machine: string;
  /** It is `away` and returns, is `lost` for good, `joins` as a new member, or `leaves`. */
  readonly what: "away" | "lost" | "joins" | "leaves";
  /** The number of voting members. */
  readonly members: number;
  /** The number of healthy members meanwhile. */
  readonly healthy: number;
  /** The number that etcd needs. */
  readonly needed: number;
  readonly holds: boolean;
}

/** The effects for which a control plane machine waits until every member of etcd is healthy. */
const STOPS: readonly MachineEffect[] = ["reboot", "open", "upgrade", "restart", "replaced"];

/**
 * The state of etcd at each step of a change of control plane machines. As in `TalosCluster`, they
 * change one after another: the next one begins when etcd is healthy again. A replacement joins
 * before its predecessor leaves; for a lost machine, the predecessor's member is removed first. Removed machines leave at the end, the last one first, because
 * Pulumi deletes in reverse order. Empty if the whole cluster is created or deleted.
 *
 * @param before the number of control plane machines before the change
 */
export function quorumSteps(
  machines: readonly MachineChange[],
  before: number,
): readonly QuorumStep[] {
  const ours = machines.filter(({ role }) => role === "controlplane");
  const leaving = ours
    .filter(({ effect, isLost }) => effect === "removed" || (effect === "replaced" && !isLost))
    .sort((one, other) => compareNames(other.name, one.name));
  const joining = ours.filter(({ effect }) => effect === "configured" || effect === "replaced");
  let members = before;
  let dead = ours.filter(({ isLost }) => isLost).length;
  if (members === 0 || members + joining.length === leaving.length) {
    return [];
  }
  const step = (machine: string, what: QuorumStep["what"]): QuorumStep => {
    members += { away: 0, lost: 0, joins: 1, leaves: -1 }[what];
    const healthy = members - dead - (what === "away" ? 1 : 0);
    const needed = Math.floor(members / 2) + 1;
    return { machine, what, members, healthy, needed, holds: healthy >= needed };
  };
  const staying = ours.flatMap(({ name, effect, isLost }) => {
    if (isLost === true) {
      const lost = step(name, "lost");
      members -= 1;
      dead -= 1;
      return [lost, step(name, "joins")];
    }
    const joins = effect === "configured" || effect === "replaced";
    const isAway = !joins && STOPS.includes(effect);
    return isAway ? [step(name, "away")] : joins ? [step(name, "joins")] : [];
  });
  return [...staying, ...leaving.map(({ name }) => step(name, "leaves"))];
}

/**
 * The machines that can't change before a lost one is replaced. Each one waits until etcd is healthy, and the lost
 * one's turn comes later.
 *
 * @param machines of one cluster, in the order of their changes
 */
export function waitingForLost(machines: readonly MachineChange[]): {
  readonly lost: readonly string[];
  readonly waiting: readonly string[];
} {
  const ours = machines.filter(({ role }) => role === "controlplane");
  const isLost = ({ isLost = false }: MachineChange) => isLost;
  const before = ours.slice(0, Math.max(0, ours.findLastIndex(isLost)));
  const waiting = before.filter((each) => !isLost(each) && STOPS.includes(each.effect));
  return {
    lost: ours.filter(isLost).map(({ name }) => name),
    waiting: waiting.map(({ name }) => name),
  };
}
