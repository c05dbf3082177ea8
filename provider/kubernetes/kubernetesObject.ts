/** An object of the Kubernetes API, as plain data: of a manifest, or of an answer. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [field: string]: unknown;
}

/** The metadata of an object. Source: Kubernetes, `meta/v1.ObjectMeta`. */
export interface ObjectMetadata {
  readonly name: string;
  /** Absent for cluster-wide objects. */
  readonly namespace?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>> | null;
  readonly annotations?: Readonly<Record<string, string>> | null;
  readonly managedFields?: readonly ManagedFields[] | null;
  readonly [field: string]: unknown;
}

/**
 * The fields of an object that one manager has set. Source: Kubernetes,
 * `meta/v1.ManagedFieldsEntry`.
 */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly subresource?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/** Group and version of an object; the group is empty for the core group. */
export function groupVersionOf({ apiVersion }: Pick<KubernetesObject, "apiVersion">) {
  const [first = "", second] = apiVersion.split("/");
  return second === undefined ? { group: "", version: first } : { group: first, version: second };
}

/** The kind and name of an object for messages: `DaemonSet kube-system/kube-proxy`. */
export function describeObject({
  kind,
  metadata: { namespace, name },
}: Pick<KubernetesObject, "kind" | "metadata">): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
