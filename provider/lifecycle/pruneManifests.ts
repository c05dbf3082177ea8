import { objectPath } from "../kubernetes/apiResources";
import { INVENTORY, type ObjectReference } from "../kubernetes/inventory";
import { describeObject, type KubernetesObject } from "../kubernetes/kubernetesObject";
import type { Progress } from "../progress";
import type { ClusterObjects } from "./clusterObjects";

/** Field managers that create the objects of Talos' manifests. */
const MANAGERS = ["talos", "talosctl"];

/**
 * Kinds that contain other objects, which others may have created and which would be deleted too.
 */
const CONTAINERS = ["Namespace", "CustomResourceDefinition"];

/**
 * Deletes objects that came from Talos' manifests and are in none any more. Objects that others
 * have taken over stay, and so do namespaces and definitions, with a warning.
 *
 * @returns those that need not be recorded any longer
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
    const problem = reasonToKeep(object);
    if (problem !== undefined) {
      warn(`${describeObject(object)} is in no manifest any more and stays: ${problem}`);
      continue;
    }
    report(`removes ${describeObject(object)}, which is in no manifest any more`);
    await cluster.send({
      method: "DELETE",
      path: objectPath(resource, place),
      body: {
        apiVersion: "v1",
        kind: "DeleteOptions",
        propagationPolicy: "Background",
        // Another one of that name is somebody else's.
        preconditions: { uid: object.metadata.uid },
      },
    });
  }
  return done;
}

/** Why an object isn't deleted; undefined without a reason. */
export function reasonToKeep(object: KubernetesObject): string | undefined {
  const { annotations, managedFields } = object.metadata;
  const name = describeObject(object);
  if (CONTAINERS.includes(object.kind)) {
    return `what is in it would go with it; delete it with kubectl if nothing is`;
  }
  const owner = annotations?.[INVENTORY.annotation];
  if (owner !== undefined && owner !== INVENTORY.name) {
    return `it belongs to "${owner}" now`;
  }
  const managers = (managedFields ?? []).flatMap(({ manager = "", subresource }) =>
    subresource === undefined ? [manager] : [],
  );
  const isOurs = managers.some((manager) => MANAGERS.includes(manager));
  return managers.length > 0 && !isOurs
    ? `${managers.map((each) => `"${each}"`).join(" and ")} set it since; delete ${name} with kubectl if it is to go`
    : undefined;
}
