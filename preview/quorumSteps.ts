import { compareNames } from "./compareNames";
import type { MachineChange } from "./machineChange";

/** The state of etcd while a control plane machine is away, or after one joined or left. */
export interface QuorumStep {
  readonly machine: string;
  /** It is `away` and returns, `joins` as a new member, or `leaves`. */
  readonly what: "away" | "joins" | "leaves";
  /** The number of voting members. */
  readonly members: number;
  /** The number of healthy members meanwhile. */
  readonly healthy: number;
  /** The number that etcd needs. */
  readonly needed: number;
  readonly holds: boolean;
}

/**
 * How etcd stands at each step of a change to control plane machines, which takes them one after
 * another, as `TalosCluster` does it: the next one's turn comes when etcd is well again. One that takes
 * another's place joins first; who leaves does so at the end, the last machine first, as Pulumi
 * deletes in the reverse of the order in which it makes. Nothing for a cluster that is made, or goes.
 *
 * @param before how many control plane machines there are before the change
 */
export function quorumSteps(
  machines: readonly MachineChange[],
  before: number,
): readonly QuorumStep[] {
  const ours = machines.filter(({ role }) => role === "controlplane");
  const leaving = ours
    .filter(({ effect }) => effect === "removed" || effect === "replaced")
    .sort((one, other) => compareNames(other.name, one.name));
  const joining = ours.filter(({ effect }) => effect === "configured" || effect === "replaced");
  let members = before;
  if (members === 0 || members + joining.length === leaving.length) {
    return [];
  }
  const step = (machine: string, what: QuorumStep["what"]): QuorumStep => {
    members += { away: 0, joins: 1, leaves: -1 }[what];
    const healthy = what === "away" ? members - 1 : members;
    const needed = Math.floor(members / 2) + 1;
    return { machine, what, members, healthy, needed, holds: healthy >= needed };
  };
  const staying = ours.flatMap(({ name, effect }) => {
    const isAway = effect === "reboot" || effect === "upgrade" || effect === "restart";
    const joins = effect === "configured" || effect === "replaced";
    return isAway ? [step(name, "away")] : joins ? [step(name, "joins")] : [];
  });
  return [...staying, ...leaving.map(({ name }) => step(name, "leaves"))];
}
