import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isMapping } from "../../../provider/config";
import { namespaceOf, nameOf, type JsonObject, type KubernetesObject } from "./kubernetesObject";
import { seconds } from "./nodeObject";
import {
  builtInKinds,
  definedKinds,
  groupVersionOf,
  type ResourceKind,
  splitGroupVersion,
} from "./resources";

/** A change of a stored object. */
export interface ObjectEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly kind: ResourceKind;
  readonly object: KubernetesObject;
}

/** The namespace and name of an object. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** The store that contains an object store. */
export interface ObjectStoreHost {
  /** A new resource version. */
  readonly nextVersion: () => number;
  /** Called after each write. */
  readonly written: () => void;
}

/** Objects of all kinds except nodes, as clients wrote them, without computed fields. */
export class ObjectStore {
  private readonly host: ObjectStoreHost;
  private readonly objects = new Map<string, KubernetesObject>();
  private readonly listeners = new Set<(event: ObjectEvent) => void>();
  /** When definitions begin to be served that clients have just made, by their names. */
  private readonly servedFrom = new Map<string, number>();

  constructor(host: ObjectStoreHost, restored: readonly KubernetesObject[] = []) {
    this.host = host;
    for (const object of restored) {
      const kind = this.kindOf(object);
      if (kind) {
        this.objects.set(pathOf(kind, keyOf(object)), object);
      }
    }
  }

  /** All kinds, including those of CustomResourceDefinitions that are established. */
  get kinds(): readonly ResourceKind[] {
    const definitions = this.list(definitionKind).filter((each) => this.isEstablished(each));
    return definitions.length === 0
      ? builtInKinds
      : [...builtInKinds, ...definitions.flatMap(definedKinds)];
  }

  /**
   * The API server takes a moment to serve a new definition (Kubernetes v1.35, `apiextensions-apiserver`,
   * `pkg/controller/establish`).
   */
  establishLater(definition: KubernetesObject): void {
    this.servedFrom.set(nameOf(definition), Date.now() + ESTABLISHING_MS);
  }

  /** Whether a definition is served. */
  isEstablished(definition: KubernetesObject): boolean {
    return (this.servedFrom.get(nameOf(definition)) ?? 0) <= Date.now();
  }

  /** All objects with their keys in etcd, in key order. */
  get entries(): readonly (readonly [key: string, object: KubernetesObject])[] {
    return [...this.objects].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  /** The kind of an object by its `apiVersion` and `kind`. */
  kindOf({ apiVersion, kind }: KubernetesObject): ResourceKind | undefined {
    const [group, version] = splitGroupVersion(apiVersion);
    const isIt = (known: ResourceKind) =>
      known.kind === kind && known.group === group && known.version === version;
    return builtInKinds.find(isIt) ?? this.kinds.find(isIt);
  }

  /** The objects of a kind in the order of their namespaces and names. */
  list(kind: ResourceKind): readonly KubernetesObject[] {
    const prefix = prefixOf(kind);
    return [...this.objects]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, object]) => object);
  }

  /** The object of a kind with a key. */
  find(kind: ResourceKind, key: ObjectKey): KubernetesObject | undefined {
    return this.objects.get(pathOf(kind, key));
  }

  /**
   * Stores a new or changed object, and returns the stored one. An unchanged object isn't written,
   * and keeps its resource version. A change of other fields than metadata and status increases the
   * generation.
   */
  put(kind: ResourceKind, object: KubernetesObject): KubernetesObject {
    const path = pathOf(kind, keyOf(object));
    const before = this.objects.get(path);
    if (before && isDeepStrictEqual(before, object)) {
      return before;
    }
    const metadata: JsonObject = {
      ...object.metadata,
      uid: before?.metadata.uid ?? object.metadata.uid ?? randomUUID(),
      creationTimestamp: before?.metadata.creationTimestamp ?? seconds(new Date()),
      ...generation(kind, before, object),
      resourceVersion: `${this.host.nextVersion()}`,
    };
    const stored = { ...object, metadata };
    this.objects.set(path, stored);
    this.emit({ type: before ? "MODIFIED" : "ADDED", kind, object: stored });
    return stored;
  }

  /** Notifies watches about a change of computed fields, for example of the status. */
  touch(kind: ResourceKind, key: ObjectKey): void {
    const object = this.find(kind, key);
    if (!object) {
      return;
    }
    const metadata = { ...object.metadata, resourceVersion: `${this.host.nextVersion()}` };
    const stored = { ...object, metadata };
    this.objects.set(pathOf(kind, key), stored);
    this.emit({ type: "MODIFIED", kind, object: stored });
  }

  /** Deletes an object; `undefined` if there is none. */
  remove(kind: ResourceKind, key: ObjectKey): KubernetesObject | undefined {
    const object = this.find(kind, key);
    if (!object) {
      return undefined;
    }
    this.objects.delete(pathOf(kind, key));
    const metadata = { ...object.metadata, resourceVersion: `${this.host.nextVersion()}` };
    this.emit({ type: "DELETED", kind, object: { ...object, metadata } });
    return object;
  }

  /** Calls the listener for each change, until the returned function is called. */
  subscribe(listener: (event: ObjectEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private emit(event: ObjectEvent): void {
    for (const listener of [...this.listeners]) {
      listener(event);
    }
    this.host.written();
  }
}

/** The key of an object. */
export function keyOf(object: KubernetesObject): ObjectKey {
  return { namespace: namespaceOf(object), name: nameOf(object) };
}

/** A built-in kind by its plural, for example `pods`. */
export function builtIn(plural: string): ResourceKind {
  const found = builtInKinds.find((kind) => kind.plural === plural);
  if (!found) {
    throw new Error(`Kubernetes has no resource "${plural}"`);
  }
  return found;
}

const definitionKind = builtIn("customresourcedefinitions");

const ESTABLISHING_MS = 100;

/** Kinds without a generation. Others have a spec that a controller applies. */
const withoutGeneration = ["configmaps", "secrets", "serviceaccounts", "namespaces", "services"];

function generation(
  kind: ResourceKind,
  before: KubernetesObject | undefined,
  after: KubernetesObject,
): JsonObject {
  if (withoutGeneration.includes(kind.plural) || !isMapping(after.spec)) {
    return {};
  }
  const last = typeof before?.metadata.generation === "number" ? before.metadata.generation : 0;
  const isSame = before !== undefined && isDeepStrictEqual(before.spec, after.spec);
  return { generation: isSame ? last : last + 1 };
}

function prefixOf(kind: ResourceKind): string {
  return `/registry/${kind.group === "" ? "" : `${kind.group}/`}${kind.plural}/`;
}

function pathOf(kind: ResourceKind, { namespace, name }: ObjectKey): string {
  return `${prefixOf(kind)}${kind.namespaced ? `${namespace}/` : ""}${name}`;
}

/** `apiVersion` and `kind` of the objects of a kind. */
export function typeOf(kind: ResourceKind): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: groupVersionOf(kind), kind: kind.kind };
}
