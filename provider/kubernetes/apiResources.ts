import { groupVersionOf, type KubernetesObject } from "./kubernetesObject";

/** How objects of a kind are addressed. */
export interface ApiResource {
  /** `v1`, `apps/v1`. */
  readonly groupVersion: string;
  /** `daemonsets`. */
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/** What an API server says of the kinds of a version. Source: Kubernetes, `meta/v1.APIResourceList`. */
export interface ApiResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
  }[];
}

/** Where an API server lists the kinds of a version: `/api/v1`, `/apis/apps/v1`. */
export function discoveryPath(groupVersion: string): string {
  return groupVersion.includes("/") ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
}

/** The kind of an object among those of its version. */
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

/** Where an object is. */
export function objectPath(
  { groupVersion, plural, isNamespaced }: ApiResource,
  { namespace = "default", name }: { readonly namespace?: string; readonly name: string },
): string {
  const place = isNamespaced ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${discoveryPath(groupVersion)}${place}/${plural}/${encodeURIComponent(name)}`;
}

/** An object in the namespace that it is in: the one it names, or `default`, or none. */
export function placed(object: KubernetesObject, { isNamespaced }: ApiResource): KubernetesObject {
  const { namespace, ...metadata } = object.metadata;
  return isNamespaced
    ? { ...object, metadata: { ...metadata, namespace: namespace ?? "default" } }
    : { ...object, metadata };
}

/** Objects in the order in which they can be applied: namespaces, then what defines kinds, then the rest. */
export function inApplyOrder<Item extends { readonly object: KubernetesObject }>(
  items: readonly Item[],
): Item[] {
  const rank = ({ object }: Item) => {
    if (object.kind === "Namespace") return 0;
    const { group } = groupVersionOf(object);
    return group === "apiextensions.k8s.io" ? 1 : 2;
  };
  return [...items].sort((one, other) => rank(one) - rank(other));
}
