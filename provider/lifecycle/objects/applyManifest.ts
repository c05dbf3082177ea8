import { isDeepStrictEqual } from "node:util";
import { type ApiResource, objectPath, placed } from "../../kubernetes/apiResources";
import {
  FIELD_MANAGER,
  type FieldConflict,
  type FieldTakeover,
  TALOS_TAKEOVER,
  withoutFields,
  withTakenFields,
} from "../../kubernetes/fieldConflicts";
import {
  INVENTORY,
  isObjectsInventory,
  markedBy,
  OBJECTS_MANAGER,
  ownerOf,
} from "../../kubernetes/inventory";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import type { KubernetesObject } from "../../kubernetes/kubernetesObject";
import type { ClusterObjects } from "./clusterObjects";
import { refusalOf } from "./refusalOf";
import type { ManifestObject } from "./talosManifests";

const CONFLICT = 409;
const ATTEMPTS = 5;

/** The result of applying an object of a manifest. */
export interface AppliedManifest {
  /** As it is in the cluster now. */
  readonly object: KubernetesObject;
  readonly change: "created" | "changed" | "same";
  /** Fields that others have set differently; they stay. */
  readonly contested: readonly FieldConflict[];
}

/** An object of a manifest that can't be applied. */
export class ManifestRefusedError extends Error {
  override readonly name = "ManifestRefusedError";
}

/**
 * Applies an object as Talos would: server-side apply with Talos' field manager. It sets the
 * object's fields, and removes those that Talos set before and no longer does. Fields that others
 * have set stay, also if Talos wants other values.
 *
 * @param isMarked whether it gets the annotation of its inventory. Otherwise one that was set before
 *   is removed
 * @throws ManifestRefusedError with the server's reason, or for an object of another inventory
 */
export async function applyManifest(
  cluster: ClusterObjects,
  { object }: ManifestObject,
  isMarked: boolean,
): Promise<AppliedManifest> {
  const resource = await cluster.resourceOf(object);
  if (resource === undefined) {
    const { kind, apiVersion } = object;
    throw new ManifestRefusedError(
      `the API server has no kind "${kind}" in "${apiVersion}": change the manifest, or install its definition first`,
    );
  }
  const plain = placed(object, resource);
  const wanted = isMarked ? markedBy(plain, INVENTORY.name) : plain;
  const before = await cluster.find(resource, wanted.metadata);
  const owner = before && ownerOf(before);
  const isGivenBack = isObjectsInventory(owner);
  if (owner !== undefined && owner !== INVENTORY.name && !isGivenBack) {
    throw new ManifestRefusedError(otherOwner(owner));
  }
  try {
    if (before !== undefined) {
      await takeFields(cluster, resource, before, isGivenBack ? BACK_TO_TALOS : TALOS_TAKEOVER);
    }
    const { object: after, contested } = await apply(cluster, resource, wanted);
    const isSame = before !== undefined && isAlike(before, after);
    const change = isSame ? "same" : before === undefined ? "created" : "changed";
    return { object: after, contested, change };
  } catch (error) {
    if (error instanceof KubernetesApiError) {
      throw new ManifestRefusedError(refusalOf(object, error.message), { cause: error });
    }
    throw error;
  }
}

/** A `KubernetesObjects` no longer has the object, and Talos' manifests have it again. */
export const BACK_TO_TALOS: FieldTakeover = { ...TALOS_TAKEOVER, applied: [OBJECTS_MANAGER] };

/** Why an object of another inventory is refused. */
export function otherOwner(owner: string): string {
  return `it belongs to "${owner}" (annotation ${INVENTORY.annotation}): remove it there, or from the manifests`;
}

/** Whether the objects differ only in field owners and in the status. */
export function isAlike(before: KubernetesObject, after: KubernetesObject): boolean {
  const bare = (object: KubernetesObject) => {
    const { metadata, status: _, ...rest } = object;
    const {
      managedFields: __,
      resourceVersion: ___,
      generation: _____,
      annotations,
      ...others
    } = metadata;
    const { [INVENTORY.annotation]: ____, ...kept } = annotations ?? {};
    return { ...rest, metadata: others, annotations: kept };
  };
  return isDeepStrictEqual(bare(before), bare(after));
}

/** Makes fields of others a manager's own, as if it had applied them. */
export async function takeFields(
  cluster: ClusterObjects,
  resource: ApiResource,
  before: KubernetesObject,
  takeover: FieldTakeover,
): Promise<void> {
  let found: KubernetesObject | undefined = before;
  for (let attempt = 1; found !== undefined; attempt += 1) {
    const { managedFields: fields, resourceVersion } = found.metadata;
    const managedFields = withTakenFields(fields ?? [], takeover);
    if (managedFields === undefined) {
      return;
    }
    try {
      await cluster.send({
        method: "PATCH",
        path: objectPath(resource, found.metadata),
        contentType: "application/merge-patch+json",
        body: { metadata: { resourceVersion, managedFields } },
      });
      return;
    } catch (error) {
      // Its controller may have written its status at the same moment.
      const isConflict = error instanceof KubernetesApiError && error.status === CONFLICT;
      if (!isConflict || attempt === ATTEMPTS) {
        throw error;
      }
      found = await cluster.find(resource, found.metadata);
    }
  }
}

async function apply(
  cluster: ClusterObjects,
  resource: ApiResource,
  wanted: KubernetesObject,
): Promise<Pick<AppliedManifest, "object" | "contested">> {
  const contested: FieldConflict[] = [];
  let body = wanted;
  for (;;) {
    try {
      const answer = await cluster.send({
        method: "PATCH",
        path: `${objectPath(resource, wanted.metadata)}?fieldManager=${FIELD_MANAGER}`,
        contentType: "application/apply-patch+yaml",
        body,
      });
      if (answer === undefined) {
        const { namespace = "" } = wanted.metadata;
        throw new ManifestRefusedError(`there is no namespace "${namespace}"`);
      }
      return { object: JSON.parse(answer) as KubernetesObject, contested };
    } catch (error) {
      const conflicts = error instanceof KubernetesApiError ? conflictsOf(error) : [];
      const rest = withoutFields(body, [...new Set(conflicts.map(({ field }) => field))]);
      if (conflicts.length === 0 || rest === undefined) {
        throw error;
      }
      contested.push(...conflicts);
      body = rest;
    }
  }
}

/** The fields of a refusal because of a conflict of managers. */
export function conflictsOf({ status, conflicts }: KubernetesApiError): readonly FieldConflict[] {
  return status === CONFLICT ? conflicts : [];
}
