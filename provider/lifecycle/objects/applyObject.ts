import type { Progress } from "../../base/progress";
import { type ApiResource, objectPath, placed } from "../../kubernetes/apiResources";
import { type FieldTakeover, TALOS_TAKEOVER } from "../../kubernetes/fieldConflicts";
import {
  INVENTORY,
  inventoryKey,
  markedBy,
  OBJECTS_MANAGER,
  ownerOf,
  referenceOf,
} from "../../kubernetes/inventory";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import { withTextsInData } from "../../kubernetes/secretData";
import {
  conflictsOf,
  isAlike,
  ManifestRefusedError,
  otherOwner,
  takeFields,
} from "./applyManifest";
import { type ClusterObjects, isOfWebhook } from "./clusterObjects";
import { findLasting } from "./findLasting";
import { refusalOf } from "./refusalOf";

/** A webhook that judges the object doesn't answer: it may do so later. */
export class SilentWebhookError extends ManifestRefusedError {
  readonly isTemporary = true;
}

/** The result of applying an object. */
export interface AppliedObject {
  /** As it is in the cluster now. */
  readonly object: KubernetesObject;
  readonly change: "created" | "changed" | "same";
  /** Whether it came from Talos' manifests until now. */
  readonly isFromTalos: boolean;
}

/** Talos' fields become this package's. */
const FROM_TALOS: FieldTakeover = {
  manager: OBJECTS_MANAGER,
  applied: [TALOS_TAKEOVER.manager],
  updated: TALOS_TAKEOVER.updated,
};

/** How objects are applied. */
export interface ObjectApply {
  /** The inventory that they then belong to. */
  readonly owner: string;
  /** The keys of the objects that Talos' manifests contain. */
  readonly talosKeys: () => Promise<ReadonlySet<string>>;
  /** When to give up, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/**
 * Applies an object of a `KubernetesObjects`: server-side apply with a field manager of its own. It sets
 * the object's fields, also those that others have changed since, with a warning, and removes those that it
 * no longer has. It takes over an object of Talos' manifests. An object that others have created is
 * adopted only if all of its fields agree. It waits for one that is being deleted, and creates it anew.
 *
 * @throws ManifestRefusedError with the server's reason, for an object of others, and for one that Talos'
 *   manifests contain too
 * @throws SilentWebhookError where a webhook doesn't answer
 */
export async function applyObject(
  cluster: ClusterObjects,
  { object, resource }: { readonly object: KubernetesObject; readonly resource: ApiResource },
  { owner, talosKeys, deadline, progress }: ObjectApply,
): Promise<AppliedObject> {
  const wanted = markedBy(withTextsInData(placed(object, resource)), owner);
  const name = describeObject(wanted);
  const { warn } = progress;
  const before = await findLasting(cluster, resource, wanted, { deadline, progress });
  const former = before && ownerOf(before);
  const isOurs = former === owner;
  const isFromTalos = before !== undefined && !isOurs && isOfTalos(before);
  const isOfOthers = before !== undefined && !isOurs && !isFromTalos;
  if (former !== undefined && isOfOthers) {
    throw new ManifestRefusedError(otherOwner(former));
  }
  if (isFromTalos && (await talosKeys()).has(inventoryKey(referenceOf(before)))) {
    throw new ManifestRefusedError(
      "the machines' configuration has it in a manifest too: leave it out there or here",
    );
  }
  try {
    if (isFromTalos) {
      await takeFields(cluster, resource, before, FROM_TALOS);
    }
    const after = await apply(cluster, resource, wanted, (fields, forced) => {
      if (!isOfOthers) {
        warn(`${name}: sets again what others have set: ${fields}`);
      } else if (!isAlike(before, forced)) {
        throw new ManifestRefusedError(
          `others have created it, and set ${fields}: delete it, or leave it out of the list`,
        );
      }
    });
    if (isOfOthers) {
      warn(`${name} was there before, as it should be, and belongs to "${owner}" now`);
    }
    const isSame = before !== undefined && isAlike(before, after);
    const change = isSame ? "same" : before === undefined ? "created" : "changed";
    return { object: after, change, isFromTalos };
  } catch (error) {
    if (error instanceof KubernetesApiError) {
      const Refused = isOfWebhook(error) ? SilentWebhookError : ManifestRefusedError;
      throw new Refused(refusalOf(object, error.message), { cause: error });
    }
    throw error;
  }
}

/** Whether Talos, or this package in its place, has created an object. */
function isOfTalos(object: KubernetesObject): boolean {
  const owner = ownerOf(object);
  const managers = (object.metadata.managedFields ?? []).map(({ manager = "" }) => manager);
  return owner === undefined
    ? managers.some((manager) => TALOS_TAKEOVER.updated.includes(manager))
    : owner === INVENTORY.name;
}

/**
 * @param contested is told of fields that others have set, and what the object becomes if they are set
 *   again. The server also names those where only its defaults differ
 */
async function apply(
  cluster: ClusterObjects,
  resource: ApiResource,
  wanted: KubernetesObject,
  contested: (fields: string, forced: KubernetesObject) => void,
): Promise<KubernetesObject> {
  const send = async (more: string) => {
    const answer = await cluster.send(
      {
        method: "PATCH",
        path: `${objectPath(resource, wanted.metadata)}?fieldManager=${OBJECTS_MANAGER}${more}`,
        contentType: "application/apply-patch+yaml",
        body: wanted,
      },
      { endsWithWebhook: true },
    );
    if (answer === undefined) {
      const { namespace } = wanted.metadata;
      const where = namespace === undefined ? "" : `, or there is no namespace "${namespace}"`;
      throw new ManifestRefusedError(
        `the API server no longer has the kind "${wanted.kind}" in "${wanted.apiVersion}"${where}: run again`,
      );
    }
    return JSON.parse(answer) as KubernetesObject;
  };
  try {
    return await send("");
  } catch (error) {
    const conflicts = error instanceof KubernetesApiError ? conflictsOf(error) : [];
    if (conflicts.length === 0) {
      throw error;
    }
    const fields = conflicts.map(({ field, manager }) => `${field} (by ${manager})`).join(", ");
    contested(fields, await send("&force=true&dryRun=All"));
    return send("&force=true");
  }
}
