import type { ResourceSource, ResourceValue } from "../resource";

/** What resources of a source have in common. */
export interface SourceKind {
  readonly namespace: string;
  readonly type: string;
  /** The controller that keeps them. */
  readonly owner: string;
}

/** A resource of a source; it may have a controller of its own. */
export type SourceValue = Pick<ResourceValue, "id" | "spec" | "proto"> &
  Partial<Pick<ResourceValue, "owner">>;

/** A source of resources of one kind. */
export function sourceOf(kind: SourceKind, values: () => readonly SourceValue[]): ResourceSource {
  const { namespace, type } = kind;
  return { namespace, type, values: () => values().map((value) => ({ ...kind, ...value })) };
}
