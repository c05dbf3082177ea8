import { stringify } from "yaml";

/** An object of the Kubernetes API, as a manifest has it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [field: string]: unknown;
}

/** What tells an object from others. */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The manifest that has the objects, in their order, without aliases: Talos reads each by itself. */
export function manifestOf(objects: readonly KubernetesObject[]): string {
  return objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join("---\n");
}
