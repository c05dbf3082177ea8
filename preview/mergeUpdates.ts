import type { ChangedResource } from "./summarize";

/** Resources of one kind with the same change. */
export interface MergedResources extends Omit<ChangedResource, "name"> {
  readonly names: readonly string[];
}

/**
 * Merges updates of one kind with the same reason, such as a new tag. Creates and deletes stay
 * separate.
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
