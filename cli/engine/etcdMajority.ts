import { startCommand, type StoppedMachine } from "../../components/machines";
import { talosKind } from "../../provider/engine";
import type { StackResource } from "../stackResource";

/** The machines of a cluster that have a member of etcd, by their names in the stack. */
export type EtcdMachines = readonly string[];

export interface MachinesInAws {
  /** Names of those that AWS no longer has. */
  readonly lost: readonly string[];
  readonly stopped: readonly StoppedMachine[];
  /** For each cluster. */
  readonly etcd: readonly EtcdMachines[];
}

/** The members of etcd of each cluster in a state. */
export function etcdMachinesIn(resources: readonly StackResource[]): readonly EtcdMachines[] {
  const clusters = new Map<string, string[]>();
  for (const { type, parent, name } of resources) {
    if (talosKind(type) === "EtcdMember") {
      clusters.set(parent, [...(clusters.get(parent) ?? []), name]);
    }
  }
  return [...clusters.values()];
}

/**
 * What to do for an etcd that has no majority only because machines are stopped. Undefined if it has
 * one, or if too many machines are lost for good: then only a restore helps.
 */
export function majorityProblem({ lost, stopped, etcd }: MachinesInAws): string | undefined {
  for (const members of etcd) {
    const needed = Math.floor(members.length / 2) + 1;
    const off = stopped.filter(({ name }) => members.includes(name));
    const left = members.filter((name) => !lost.includes(name)).length;
    if (off.length > 0 && left >= needed && left - off.length < needed) {
      return `etcd has ${left - off.length} of ${members.length} members running and needs ${needed}, so the Kubernetes API is down. Its data is not lost: start ${off.map(({ name }) => name).join(" and ")} with ${startCommand(off)}`;
    }
  }
  return undefined;
}
