import type { Properties, StackResource } from "../stackResource";

/** Finds resources of a stack by type and id. */
export class ResourceIndex {
  private readonly byType = new Map<string, StackResource[]>();

  constructor(resources: readonly StackResource[]) {
    for (const resource of resources) {
      const same = this.byType.get(resource.type) ?? [];
      same.push(resource);
      this.byType.set(resource.type, same);
    }
  }

  /** Resources of a type, in the order of their creation. */
  all(type: string): readonly StackResource[] {
    return this.byType.get(type) ?? [];
  }

  find(type: string, id: string): StackResource | undefined {
    return this.all(type).find((each) => each.id === id);
  }
}

/** The text of a property; empty without one, or for a secret. */
export function text(properties: Properties, key: string): string {
  const value = properties[key];
  return typeof value === "string" ? value : "";
}

/** The texts in a list. */
export function texts(properties: Properties, key: string): readonly string[] {
  const value = properties[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function numberOf(properties: Properties, key: string): number | undefined {
  const value = properties[key];
  return typeof value === "number" ? value : undefined;
}

/** The mapping at a key; empty without one. */
export function mappingAt(properties: Properties, key: string): Properties {
  const value = properties[key];
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Properties)
    : {};
}

/** The mappings in a list. */
export function listAt(properties: Properties, key: string): readonly Properties[] {
  const value = properties[key];
  return Array.isArray(value)
    ? value.filter((each): each is Properties => typeof each === "object" && each !== null)
    : [];
}
