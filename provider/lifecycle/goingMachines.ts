/**
 * Machines of clusters that are destroyed as a whole in this run of the engine. A cluster's health is
 * what depends on all its machines, so it is deleted before the first of them, and only with the
 * last of them.
 */
const going = new Set<string>();

/** Notes that a cluster goes, with all its machines. */
export function noteGoing(nodes: readonly string[]): void {
  nodes.forEach((node) => going.add(node));
}

/** Whether a machine goes with its whole cluster, so that nobody is left to be spared by it. */
export function isGoing(node: string): boolean {
  return going.has(node);
}
