import { stringify } from "yaml";

/** An object of the Kubernetes API, as in a manifest. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [field: string]: unknown;
}

/** The fields that identify an object. */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * The manifest of the objects, in their order. It has no YAML aliases, because Talos reads each
 * document by itself.
 */
export function manifestOf(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join("---\n");
}
