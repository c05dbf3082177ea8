import { isMapping } from "../../../provider/config";
import { nameOf, namespaceOf, objectAt, type KubernetesObject } from "./kubernetesObject";
import { updated } from "./managedFields";
import { builtIn, type ObjectStore } from "./objectStore";
import { splitGroupVersion } from "./resources";

const configMaps = builtIn("configmaps");

const place = { namespace: "kube-system", name: "talos-bootstrap-manifests-inventory" };

/**
 * The ConfigMap in which Talos v1.13 records the objects of its manifests (siderolabs/go-kubernetes v0.2.41,
 * `kubernetes/ssa`).
 */
export class TalosInventory {
  constructor(private readonly objects: ObjectStore) {}

  /** Whether an object is recorded. */
  has(object: KubernetesObject): boolean {
    return keyIn(object) in this.data;
  }

  /** Records an object. */
  add(object: KubernetesObject): void {
    const before = this.objects.find(configMaps, place);
    const made = {
      ...(before ?? { apiVersion: "v1", kind: "ConfigMap", metadata: place }),
      data: { ...this.data, [keyIn(object)]: "" },
    };
    const manager = { name: "talos", apiVersion: "v1", now: new Date() };
    this.objects.put(configMaps, updated(before, made, manager));
  }

  /** An object with the annotation that names the inventory. */
  marked(object: KubernetesObject): KubernetesObject {
    const annotations = {
      ...objectAt(object, "metadata", "annotations"),
      "config.k8s.io/owning-inventory": place.name,
    };
    return { ...object, metadata: { ...object.metadata, annotations } };
  }

  private get data() {
    const data = this.objects.find(configMaps, place)?.data;
    return isMapping(data) ? data : {};
  }
}

function keyIn(object: KubernetesObject): string {
  const [group] = splitGroupVersion(object.apiVersion);
  const isRole = group === "rbac.authorization.k8s.io";
  const name = isRole ? nameOf(object).replaceAll(":", "__") : nameOf(object);
  return [namespaceOf(object), name, group, object.kind].join("_");
}
