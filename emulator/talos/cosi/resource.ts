import type { Resource } from "../../../provider/api/gen/cosi/resource/Resource";
import type { YamlValue } from "../../../provider/config";
import { timestamp } from "../rpc/times";

/** A COSI resource before it is stored: names, owner, and spec in both encodings. */
export interface ResourceValue {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
  /** The controller that owns it; empty for resources of machined itself. */
  readonly owner: string;
  /** Its version, where something else needs it too. Default: it counts changes. */
  readonly version?: number;
  /** Default: none. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: YamlValue;
  /** The spec in protobuf, for clients with typed resources. */
  readonly proto: Buffer;
}

/** A stored resource. */
export interface StoredResource extends Omit<ResourceValue, "version"> {
  /** Counts changes, from 1. */
  readonly version: number;
  readonly created: Date;
  readonly updated: Date;
  /** The spec in YAML with Talos' indentation. */
  readonly yaml: string;
}

/** A source of the resources of one type in one namespace. */
export interface ResourceSource {
  readonly namespace: string;
  readonly type: string;
  /** The current resources. */
  values(): readonly ResourceValue[];
}

/** A resource in the API's form. */
export function resourceMessage(resource: StoredResource): Resource {
  return {
    metadata: {
      namespace: resource.namespace,
      type: resource.type,
      id: resource.id,
      version: `${resource.version}`,
      owner: resource.owner,
      phase: "running",
      created: timestamp(resource.created),
      updated: timestamp(resource.updated),
      ...(resource.annotations ? { annotations: resource.annotations } : {}),
    },
    spec: { protoSpec: resource.proto, yamlSpec: resource.yaml },
  };
}

/** The API's form of a missing resource: only its names. */
export function tombstoneMessage(namespace: string, type: string, id: string): Resource {
  return {
    metadata: { namespace, type, id, version: "undefined", phase: "running" },
    spec: { yamlSpec: "" },
  };
}

/** The common properties of a source's resources. */
export interface SourceKind {
  readonly namespace: string;
  readonly type: string;
  /** The controller that owns them. */
  readonly owner: string;
}

/** A resource of a source. It may have its own owner. */
export type SourceValue = Pick<ResourceValue, "id" | "spec" | "proto"> &
  Partial<Pick<ResourceValue, "owner" | "version">>;

/** A source of resources of one kind. */
export function sourceOf(kind: SourceKind, values: () => readonly SourceValue[]): ResourceSource {
  const { namespace, type } = kind;
  return { namespace, type, values: () => values().map((value) => ({ ...kind, ...value })) };
}
