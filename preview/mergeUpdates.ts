import type { ChangedResource } from "./summarize";

/** Resources of one kind with which the same is done. */
export interface MergedResources extends Omit<ChangedResource, "name"> {
  readonly names: readonly string[];
}

/**
 * Puts updates of one kind for the same reason together, such as those of another tag, of which one
 * has seen all who has seen one. What is made or goes stays apart.
 */
export function mergeUpdates(resources: readonly ChangedResource[]): readonly MergedResources[] {
  const merged = new Map<string, { change: ChangedResource; names: string[] }>();
  for (const change of resources) {
    const { operation, kind, name, because } = change;
    const key = JSON.stringify([operation, kind, operation === "update" ? because : name]);
    const one = merged.get(key) ?? { change, names: [] };
    one.names.push(name);
    merged.set(key, one);
  }
  return [...merged.values()].map(({ change: { operation, kind, because }, names }) => ({
    operation,
    kind,
    because,
    names,
  }));
}
