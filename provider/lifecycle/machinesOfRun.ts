import { expandCredentials } from "../pki/compactCredentials";
import type { EtcdMachine } from "./etcdMachine";
import type { Machine } from "./machine";

const going = new Set<string>();
const staying = new Map<string, Machine>();
const predecessors = new Map<string, EtcdMachine>();

/**
 * What one run of the engine has in mind with machines, as far as its resources have been told: the
 * plugin lives for one run. A resource that is deleted, or waits, hears of others only here.
 */
export const machinesOfRun = {
  /**
   * Notes that a cluster goes, with all its machines. Its health is what depends on all of them, so it
   * is deleted before the first of them, and only with the last of them.
   */
  noteGoing(nodes: readonly string[]): void {
    nodes.forEach((node) => going.add(node));
  },

  /** Whether a machine goes with its whole cluster, so that nobody is left to be spared by it. */
  isGoing(node: string): boolean {
    return going.has(node);
  },

  /** Notes that a control plane machine is to be there after this run. */
  noteStaying({ node, endpoint, credentials }: Machine): void {
    const full = expandCredentials(credentials);
    staying.set([node, endpoint, full.ca].join(" "), { node, endpoint, credentials: full });
  },

  /**
   * The control plane machines of a cluster that stay: all of them once the first is deleted, as the
   * whole program has run by then.
   */
  stayingWith({ credentials }: Pick<Machine, "credentials">): Machine[] {
    const { ca } = expandCredentials(credentials);
    return [...staying.values()].filter((each) => each.credentials.ca === ca);
  },

  /**
   * Notes that one machine, by its instance id, comes in the place of another, both in etcd. Only the
   * first check of a resource that is replaced hears of the one before.
   */
  noteSuccession(machineId: string, predecessor: EtcdMachine): void {
    predecessors.set(machineId, predecessor);
  },

  /** The machine in whose place another one comes. */
  predecessorOf(machineId: string): EtcdMachine | undefined {
    return predecessors.get(machineId);
  },
} as const;
