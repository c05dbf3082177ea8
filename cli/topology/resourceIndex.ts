import type { StackResource } from "../stackResource";

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
