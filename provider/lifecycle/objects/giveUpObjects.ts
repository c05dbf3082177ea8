import { objectPath } from "../../kubernetes/apiResources";
import {
  DROP_FINALIZERS,
  INVENTORY,
  inventoryKey,
  type ObjectReference,
  ownerOf,
  referenceOf,
} from "../../kubernetes/inventory";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import { BACK_TO_TALOS, ManifestRefusedError, takeFields } from "./applyManifest";
import type { ClusterObjects, ClusterWork } from "./clusterObjects";
import { CONTAINERS } from "./pruneManifests";
import { readManifests } from "./talosManifests";

/** How objects are given up that are no longer in a list. */
export interface GivingUp extends ClusterWork {
  /** The inventory that they belong to. */
  readonly owner: string;
  /** Whether namespaces and definitions are deleted too, with all that is in them. */
  readonly deleteContainers: boolean;
}

/**
 * Deletes objects that are no longer in a list. Objects that Talos' manifests contain again are given back
 * to Talos. It keeps objects that others have taken over, and with a warning namespaces and definitions.
 *
 * @param gone deleted in this order
 * @returns what is deleted from now on, as it was
 * @throws ManifestRefusedError that names each object that the server doesn't let go, once the others are deleted
 */
export async function giveUpObjects(
  cluster: ClusterObjects,
  gone: readonly ObjectReference[],
  giving: GivingUp,
): Promise<readonly KubernetesObject[]> {
  if (gone.length === 0) {
    return [];
  }
  const deleted: KubernetesObject[] = [];
  const refusals: string[] = [];
  const { owner, deleteContainers, progress } = giving;
  const ofTalos = await talosKeys(giving);
  for (const reference of gone) {
    const resource = await cluster.resourceOfKind(reference.group, reference.kind);
    const { namespace, name } = reference;
    const place = { name, ...(namespace !== "" && { namespace }) };
    const object = resource && (await cluster.find(resource, place));
    if (resource === undefined || object === undefined) {
      continue;
    }
    const path = objectPath(resource, place);
    const what = describeObject(object);
    const other = ownerOf(object);
    if (other !== owner) {
      const why =
        other === undefined ? "others have removed its mark" : `it belongs to "${other}" now`;
      progress.report(`${what}: kept, as ${why} (annotation ${INVENTORY.annotation})`);
      continue;
    }
    const isContainer = CONTAINERS.includes(object.kind) && !deleteContainers;
    if (ofTalos.has(inventoryKey(reference))) {
      progress.report(`${what}: given back to Talos, whose manifests have it`);
      await takeFields(cluster, resource, object, BACK_TO_TALOS);
      await unmark(cluster, path);
    } else if (isContainer) {
      progress.warn(
        `${what} is no longer in the list, but is kept: its contents would be deleted too; if it is empty, delete it with kubectl`,
      );
      await unmark(cluster, path);
    } else {
      try {
        await cluster.send({ method: "DELETE", path, body: deletionOf(object) });
        if (object.metadata.annotations?.[DROP_FINALIZERS] === "true") {
          await dropFinalizers(cluster, path, object);
        }
        progress.report(`${what}: deleted`);
        deleted.push(object);
      } catch (error) {
        if (!(error instanceof KubernetesApiError)) {
          throw error;
        }
        refusals.push(`${what}: ${error.message}`);
      }
    }
  }
  if (refusals.length > 0) {
    throw new ManifestRefusedError(
      `objects can't be deleted from the cluster. ${refusals.join("; ")}`,
    );
  }
  return deleted;
}

/** The keys of the objects that Talos' manifests contain, in the form of inventories. */
export async function talosKeys(work: ClusterWork): Promise<ReadonlySet<string>> {
  const { objects } = await readManifests({ ...work, named: [] });
  const keys = objects.map(({ object }) => {
    const reference = referenceOf(object);
    return [inventoryKey(reference), inventoryKey({ ...reference, namespace: "default" })];
  });
  return new Set(keys.flat());
}

function unmark(cluster: ClusterObjects, path: string): Promise<unknown> {
  return cluster.send({
    method: "PATCH",
    path,
    contentType: "application/merge-patch+json",
    body: { metadata: { annotations: { [INVENTORY.annotation]: null } } },
  });
}

/** Ends what waits for its finalizers; does nothing if it is gone. */
function dropFinalizers(
  cluster: ClusterObjects,
  path: string,
  { metadata: { uid } }: KubernetesObject,
): Promise<unknown> {
  return cluster.send({
    method: "PATCH",
    path,
    contentType: "application/merge-patch+json",
    body: { metadata: { uid, finalizers: null } },
  });
}

function deletionOf({ metadata: { uid } }: KubernetesObject): object {
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: "Background",
    // An object of that name that was created since belongs to someone else.
    preconditions: { uid },
  };
}
