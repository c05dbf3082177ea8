import type { Resource } from "../../../provider/api/gen/cosi/resource/Resource";
import type { YamlValue } from "../../../provider/config/machineConfig";
import { timestamp } from "../rpc/timestamp";

/** A COSI resource as the node wants it to be: names, owner and spec in both encodings. */
export interface ResourceValue {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
  /** The controller that keeps it; empty for what machined itself stores. */
  readonly owner: string;
  /** None if left out. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: YamlValue;
  /** The spec in protobuf, as clients with typed resources read it. */
  readonly proto: Buffer;
}

/** A resource as it is stored. */
export interface StoredResource extends ResourceValue {
  /** Counts changes from 1. */
  readonly version: number;
  readonly created: Date;
  readonly updated: Date;
  /** The spec in YAML with Talos' indentation. */
  readonly yaml: string;
}

/** Where the resources of one type in one namespace come from. */
export interface ResourceSource {
  readonly namespace: string;
  readonly type: string;
  /** The current resources. */
  values(): readonly ResourceValue[];
}

/** A resource as the API sends it. */
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

/** What is sent of a resource that does not exist: names and nothing else. */
export function tombstoneMessage(namespace: string, type: string, id: string): Resource {
  return {
    metadata: { namespace, type, id, version: "undefined", phase: "running" },
    spec: { yamlSpec: "" },
  };
}

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
