import { groupVersionOf, type KubernetesObject } from "./kubernetesObject";

/** The address of a kind's objects. */
export interface ApiResource {
  /** For example `v1` or `apps/v1`. */
  readonly groupVersion: string;
  /** For example `daemonsets`. */
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/**
 * The kinds of an API version, as an API server lists them. Source: Kubernetes,
 * `meta/v1.APIResourceList`.
 */
export interface ApiResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** The path of an API version's kinds: `/api/v1`, `/apis/apps/v1`. */
export function discoveryPath(groupVersion: string): string {
  return groupVersion.includes("/") ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
}

/** Finds the kind of an object in the list of its API version. */
export function findResource(list: ApiResourceList, kind: string): ApiResource | undefined {
  const found = list.resources.find((each) => each.kind === kind && !each.name.includes("/"));
  return (
    found && {
      groupVersion: list.groupVersion,
      plural: found.name,
      isNamespaced: found.namespaced,
    }
  );
}

/** The path of an object. */
export function objectPath(
  { groupVersion, plural, isNamespaced }: ApiResource,
  { namespace = "default", name }: { readonly namespace?: string; readonly name: string },
): string {
  const place = isNamespaced ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${discoveryPath(groupVersion)}${place}/${plural}/${encodeURIComponent(name)}`;
}

/** An object with its namespace filled in: its own, `default`, or none for a cluster-wide kind. */
export function placed(object: KubernetesObject, { isNamespaced }: ApiResource): KubernetesObject {
  const { namespace, ...metadata } = object.metadata;
  return isNamespaced
    ? { ...object, metadata: { ...metadata, namespace: namespace ?? "default" } }
    : { ...object, metadata };
}

/**
 * Objects in the order in which they can be applied: namespaces, then custom resource definitions,
 * then the rest.
 */
export function inApplyOrder<Item extends { readonly object: KubernetesObject }>(
  items: readonly Item[],
): Item[] {
  const rank = ({ object }: Item) => {
    if (object.kind === "Namespace") {
      return 0;
    }
    const { group } = groupVersionOf(object);
    return group === "apiextensions.k8s.io" ? 1 : 2;
  };
  return [...items].sort((one, other) => rank(one) - rank(other));
}
