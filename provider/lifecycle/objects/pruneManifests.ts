import type { Progress } from "../../base/progress";
import { objectPath } from "../../kubernetes/apiResources";
import {
  INVENTORY,
  isObjectsInventory,
  type ObjectReference,
  ownerOf,
} from "../../kubernetes/inventory";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import type { ClusterObjects } from "./clusterObjects";

/** Field managers that create the objects of Talos' manifests. */
const MANAGERS = ["talos", "talosctl"];

/**
 * Kinds that contain other objects. Deleting them would also delete objects that others created.
 */
export const CONTAINERS = ["Namespace", "CustomResourceDefinition"];

/**
 * Deletes objects that came from Talos' manifests and are no longer in any of them. It keeps
 * objects that others have taken over, and with a warning namespaces and definitions.
 *
 * @returns the objects that need not be recorded any longer
 */
export async function pruneManifests(
  cluster: ClusterObjects,
  gone: readonly ObjectReference[],
  { report, warn }: Progress,
): Promise<readonly ObjectReference[]> {
  const done: ObjectReference[] = [];
  for (const reference of gone) {
    const resource = await cluster.resourceOfKind(reference.group, reference.kind);
    const { namespace, name } = reference;
    const place = { name, ...(namespace !== "" && { namespace }) };
    const object = resource && (await cluster.find(resource, place));
    done.push(reference);
    if (resource === undefined || object === undefined) {
      continue;
    }
    if (isObjectsInventory(ownerOf(object))) {
      report(`keeps ${describeObject(object)}, which "${ownerOf(object)}" has taken over`);
      continue;
    }
    const problem = reasonToKeep(object);
    if (problem !== undefined) {
      warn(`${describeObject(object)} is no longer in any manifest, but is kept: ${problem}`);
      continue;
    }
    report(`deletes ${describeObject(object)}, which is no longer in any manifest`);
    await cluster.send({
      method: "DELETE",
      path: objectPath(resource, place),
      body: {
        apiVersion: "v1",
        kind: "DeleteOptions",
        propagationPolicy: "Background",
        // An object of that name that was created since belongs to someone else.
        preconditions: { uid: object.metadata.uid },
      },
    });
  }
  return done;
}

/** The reason to keep an object; undefined if it may be deleted. */
export function reasonToKeep(object: KubernetesObject): string | undefined {
  const { managedFields } = object.metadata;
  const name = describeObject(object);
  if (CONTAINERS.includes(object.kind)) {
    return `its contents would be deleted too; if it is empty, delete it with kubectl`;
  }
  const owner = ownerOf(object);
  if (owner !== undefined && owner !== INVENTORY.name) {
    return `it belongs to "${owner}" now`;
  }
  const managers = (managedFields ?? []).flatMap(({ manager = "", subresource }) =>
    subresource === undefined ? [manager] : [],
  );
  const isOurs = managers.some((manager) => MANAGERS.includes(manager));
  return managers.length > 0 && !isOurs
    ? `${managers.map((each) => `"${each}"`).join(" and ")} changed it since; to delete ${name}, use kubectl`
    : undefined;
}
