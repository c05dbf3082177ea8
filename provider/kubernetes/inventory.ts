import { groupVersionOf, type KubernetesObject } from "./kubernetesObject";

/**
 * The ConfigMap that records which objects came from Talos' manifests. Talos 1.13 and its talosctl
 * use the same ConfigMap, annotation and manager, so they and this package can be used in turn. An
 * older talosctl knows neither, so objects have no annotation then.
 *
 * Sources: talos v1.13.0, `pkg/machinery/constants`; siderolabs/go-kubernetes, `kubernetes/ssa`.
 */
export const INVENTORY = {
  namespace: "kube-system",
  name: "talos-bootstrap-manifests-inventory",
  annotation: "config.k8s.io/owning-inventory",
} as const;

/** The field manager of objects that this package applies itself, not Talos. */
export const OBJECTS_MANAGER = "pulumi-talos-aws";

/**
 * Annotation of an object whose finalizers are removed when this package deletes it: with `true`, it
 * doesn't wait for a controller, which may be gone by then. For objects whose finalizers do nothing that
 * anyone needs.
 */
export const DROP_FINALIZERS = "pulumi-talos-aws/drop-finalizers";

const OBJECTS_PREFIX = "pulumi-talos-aws-objects-";

/** The ConfigMap that records the objects of a `KubernetesObjects`, in the namespace of Talos' own. */
export function objectsInventory(inventory: string): string {
  return `${OBJECTS_PREFIX}${inventory}`;
}

/** The `KubernetesObjects.inventory` of such a ConfigMap; undefined for another one. */
export function listOfInventory(name: string): string | undefined {
  return name.startsWith(OBJECTS_PREFIX) ? name.slice(OBJECTS_PREFIX.length) : undefined;
}

/** Whether an owner of objects is a `KubernetesObjects`. */
export function isObjectsInventory(owner: string | undefined): boolean {
  return owner?.startsWith(OBJECTS_PREFIX) === true;
}

/** The inventory that an object belongs to; undefined without one. */
export function ownerOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.annotations?.[INVENTORY.annotation];
}

/** An object that belongs to an inventory. */
export function markedBy(object: KubernetesObject, owner: string): KubernetesObject {
  const annotations = { ...object.metadata.annotations, [INVENTORY.annotation]: owner };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Identifies an object, without its API version. */
export interface ObjectReference {
  readonly namespace: string;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
}

const RBAC_GROUP = "rbac.authorization.k8s.io";

/** Names of roles may contain colons, but keys of a ConfigMap may not. */
const COLON = "__";

/** The reference of a manifest's object. */
export function referenceOf(object: KubernetesObject): ObjectReference {
  const { namespace = "", name } = object.metadata;
  return { namespace, name, group: groupVersionOf(object).group, kind: object.kind };
}

/** A reference as a key of the inventory: `kube-system_coredns_apps_Deployment`. */
export function inventoryKey({ namespace, name, group, kind }: ObjectReference): string {
  const encoded = group === RBAC_GROUP ? name.replaceAll(":", COLON) : name;
  return [namespace, encoded, group, kind].join("_");
}

/** The reference of a key; undefined for an invalid key. */
export function parseInventoryKey(key: string): ObjectReference | undefined {
  const [, namespace = "", encoded = "", group = "", kind = ""] =
    /^([^_]*)_(.+)_([^_]*)_([^_]+)$/.exec(key) ?? [];
  if (kind === "") {
    return undefined;
  }
  const name = group === RBAC_GROUP ? encoded.replaceAll(COLON, ":") : encoded;
  return { namespace, name, group, kind };
}
