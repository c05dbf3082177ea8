import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import type { ResourceSource, ResourceValue, StoredResource } from "./resource";

/** A change of a resource, for watches. */
export interface ResourceEvent {
  readonly type: "CREATED" | "UPDATED" | "DESTROYED";
  readonly resource: StoredResource;
  readonly old: StoredResource | undefined;
}

interface Kind {
  readonly source: ResourceSource;
  readonly resources: Map<string, StoredResource>;
  readonly watchers: Set<(event: ResourceEvent) => void>;
}

/**
 * The resources of a node. They are computed from the state of the node and its cluster: at each
 * read and, during a watch, at each change. Versions and times record the changes.
 */
export class ResourceStore {
  private readonly kinds: ReadonlyMap<string, Kind>;
  private readonly now: () => Date;

  constructor(sources: readonly ResourceSource[], now: () => Date = () => new Date()) {
    this.now = now;
    this.kinds = new Map(
      sources.map((source) => [
        keyOf(source.namespace, source.type),
        { source, resources: new Map(), watchers: new Set() },
      ]),
    );
  }

  /** The resources of a type, sorted by id. Empty for an unknown type. */
  list(namespace: string, type: string): readonly StoredResource[] {
    const kind = this.kinds.get(keyOf(namespace, type));
    if (!kind) {
      return [];
    }
    this.reconcile(kind);
    return [...kind.resources.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** One resource. */
  get(namespace: string, type: string, id: string): StoredResource | undefined {
    return this.list(namespace, type).find((resource) => resource.id === id);
  }

  /** Calls the listener for each change, until the returned function is called. */
  watch(namespace: string, type: string, listener: (event: ResourceEvent) => void): () => void {
    const kind = this.kinds.get(keyOf(namespace, type));
    if (!kind) {
      return () => undefined;
    }
    this.reconcile(kind);
    kind.watchers.add(listener);
    return () => kind.watchers.delete(listener);
  }

  /**
   * Must be called after a change of the node's state. `types` are checked even without a watch.
   */
  changed(types: readonly string[] = []): void {
    for (const kind of this.kinds.values()) {
      if (kind.watchers.size > 0 || types.includes(kind.source.type)) {
        this.reconcile(kind);
      }
    }
  }

  private reconcile(kind: Kind): void {
    const wanted = new Map(kind.source.values().map((value) => [value.id, value]));
    for (const [id, old] of kind.resources) {
      if (wanted.has(id)) {
        continue;
      }
      kind.resources.delete(id);
      emit(kind, { type: "DESTROYED", resource: old, old: undefined });
    }
    for (const value of wanted.values()) {
      this.put(kind, value);
    }
  }

  private put(kind: Kind, value: ResourceValue): void {
    const old = kind.resources.get(value.id);
    const isSame = old !== undefined && isDeepStrictEqual(old.spec, value.spec);
    // Encoding takes much longer than comparing.
    const yaml = isSame ? old.yaml : yamlOf(value);
    const isSameVersion = value.version === undefined || value.version === old?.version;
    if (old?.yaml === yaml && old.owner === value.owner && isSameVersion) {
      return;
    }
    const now = this.now();
    const resource: StoredResource = {
      ...value,
      yaml,
      version: value.version ?? (old?.version ?? 0) + 1,
      created: old?.created ?? now,
      updated: now,
    };
    kind.resources.set(value.id, resource);
    emit(kind, { type: old ? "UPDATED" : "CREATED", resource, old });
  }
}

function keyOf(namespace: string, type: string): string {
  return `${namespace}/${type}`;
}

function emit(kind: Kind, event: ResourceEvent): void {
  for (const watcher of [...kind.watchers]) {
    watcher(event);
  }
}

function yamlOf({ spec }: ResourceValue): string {
  // Talos indents a text at the top level, the library doesn't.
  if (typeof spec === "string" && spec.endsWith("\n") && !/^\s/.test(spec)) {
    return `|\n${spec.replace(/^(?=.)/gm, "    ")}`;
  }
  return stringify(spec, { indent: 4, lineWidth: 0 });
}
