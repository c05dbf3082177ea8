import { WaitTimeoutError, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { inApplyOrder, placed } from "../../kubernetes/apiResources";
import { inventoryKey, OBJECTS_MANAGER, referenceOf } from "../../kubernetes/inventory";
import {
  describeObject,
  groupVersionOf,
  type KubernetesObject,
} from "../../kubernetes/kubernetesObject";
import { appliedDigest } from "../../kubernetes/ownedFields";
import { hasOldPods, isRolledOut, missingOfRollout } from "../../kubernetes/rollout";
import { ManifestRefusedError } from "./applyManifest";
import { type AppliedObject, applyObject, SilentWebhookError } from "./applyObject";
import { awaitRollout } from "./awaitRollout";
import { ClusterObjects } from "./clusterObjects";
import { giveUpInTurn, type GivingUpInTurn } from "./giveUpInTurn";
import { talosKeys } from "./giveUpObjects";
import { changeInventory, readInventory } from "./manifestInventory";
import { awaitEstablished, awaitPlace, DEFINITION_MS, located, type Placed } from "./placeObjects";
import { CONTAINERS } from "./pruneManifests";

/** A cluster that must have the objects of a list. */
export interface ObjectSync extends GivingUpInTurn {
  readonly objects: readonly KubernetesObject[];
  /** Whether it waits until workloads that it changed are rolled out. */
  readonly awaitsRollouts: boolean;
  /** What the former run applied, also if others have deleted the inventory since. Default: what that records. */
  readonly formerly?: readonly string[] | undefined;
}

/** What is applied. */
export interface AppliedObjects {
  /** A digest of each object as applied, by its name: `Deployment kube-system/x`. */
  readonly digests: Readonly<Record<string, string>>;
  /** The objects by their keys in the inventory. */
  readonly listed: readonly string[];
}

/**
 * Applies a list of objects to a cluster: namespaces, then definitions until they are served, then all
 * others. Then it deletes objects that left the list, and waits for changed DaemonSets and Deployments.
 * The inventory has each object before the cluster has it. So a killed run can continue, with the same
 * list or with another one. It also says that a run has begun, which `areObjectsUnfinished` reads.
 *
 * @throws ManifestRefusedError that names every object that can't be applied; nothing is deleted then
 * @throws WaitTimeoutError at the deadline
 */
export async function syncObjects(sync: ObjectSync): Promise<AppliedObjects> {
  const cluster = new ClusterObjects(sync);
  const { owner } = sync;
  const before = await readInventory(cluster, owner, sync.formerly);
  const refusals: string[] = [];
  const applied = await applyAll(cluster, sync, refusals);
  const references = applied.map(({ object }) => referenceOf(object));
  const known = new Set(before.objects.map(inventoryKey));
  const awaited = applied.filter(({ object, change }) => {
    const key = inventoryKey(referenceOf(object));
    const isFirst = !known.has(key) || before.awaited.includes(key);
    return isRolledOut(object) && isPending(object, change, isFirst);
  });
  await changeInventory(
    cluster,
    { awaited: awaited.map(({ object }) => referenceOf(object)) },
    owner,
  );
  await forgetInTalos(cluster, applied);
  if (refusals.length > 0) {
    throw new ManifestRefusedError(
      `objects can't be applied to the cluster. ${refusals.join("; ")}`,
    );
  }
  const kept = new Set(references.map(inventoryKey));
  const gone = before.objects.filter((each) => !kept.has(inventoryKey(each)));
  await giveUpInTurn(cluster, gone, before.objects, sync);
  await changeInventory(cluster, { removed: gone }, owner);
  for (const { object } of sync.awaitsRollouts ? awaited : []) {
    await awaitRollout(cluster, object, sync);
  }
  await changeInventory(cluster, { awaited: [], isUnfinished: false }, owner);
  const digests = applied.map(
    ({ object }) => [describeObject(object), appliedDigest(object, OBJECTS_MANAGER) ?? ""] as const,
  );
  return { digests: Object.fromEntries(digests), listed: [...kept].sort() };
}

async function applyAll(
  cluster: ClusterObjects,
  sync: ObjectSync,
  refusals: string[],
): Promise<readonly AppliedObject[]> {
  const { owner, progress } = sync;
  const ordered = inApplyOrder(sync.objects.map((object) => ({ object }))).map(
    ({ object }) => object,
  );
  const isContainer = ({ kind }: KubernetesObject) => CONTAINERS.includes(kind);
  const applied: AppliedObject[] = [];
  /** What a webhook doesn't judge yet, whose pods may be among the other objects. */
  const unjudged: Placed[] = [];
  let known: Promise<ReadonlySet<string>> | undefined;
  const ofTalos = () => (known ??= talosKeys(sync));
  const { deadline: end } = sync;
  const applyOne = async (item: Placed) => {
    const how = { owner, progress, talosKeys: ofTalos, deadline: end };
    const result = await applyObject(cluster, item, how);
    applied.push(result);
    if (result.change !== "same") {
      progress.report(`${nameOf(item)}: ${result.change}`);
    }
  };
  const apply = async (objects: readonly Placed[]) => {
    const added = objects.map(({ object, resource }) => referenceOf(placed(object, resource)));
    await changeInventory(cluster, { added, isUnfinished: true }, owner);
    for (const item of objects) {
      await collecting(refusals, nameOf(item), async () => {
        try {
          await applyOne(item);
        } catch (error) {
          if (!(error instanceof SilentWebhookError)) {
            throw error;
          }
          unjudged.push(item);
        }
      });
    }
  };
  const containers = await located(cluster, ordered.filter(isContainer));
  await apply(containers.found);
  for (const { object } of [...applied].filter(({ object }) => isDefinition(object))) {
    await awaitEstablished(cluster, object, sync);
  }
  const others = await located(
    cluster,
    ordered.filter((object) => !isContainer(object)),
  );
  await apply(others.found);
  const begin = clock.now();
  // Time is left to say what was refused.
  const deadline = begin + Math.min(DEFINITION_MS, (sync.deadline - begin) / 2);
  for (const object of [...containers.missing, ...others.missing]) {
    await collecting(refusals, describeObject(object), async () => {
      await apply([
        { object, resource: await awaitPlace(cluster, object, { deadline, progress }) },
      ]);
    });
  }
  for (const item of unjudged) {
    await collecting(refusals, nameOf(item), () =>
      awaitWebhook(nameOf(item), () => applyOne(item), { deadline, progress }),
    );
  }
  return applied;
}

function nameOf({ object, resource }: Placed): string {
  return describeObject(placed(object, resource));
}

/** Applies an object once its webhook answers, whose pods may have just been created. */
async function awaitWebhook(
  name: string,
  apply: () => Promise<void>,
  { deadline, progress }: Pick<ObjectSync, "deadline" | "progress">,
): Promise<void> {
  let last: unknown;
  try {
    await waitFor<undefined>({
      what: `the webhook of ${name}`,
      deadlineMs: Math.max(0, deadline - clock.now()),
      report: progress.report,
      isFatal: (error) => !(error instanceof SilentWebhookError),
      probe: async () => {
        try {
          await apply();
          return { done: true, value: undefined };
        } catch (error) {
          last = error;
          throw error;
        }
      },
    });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError) || !(last instanceof SilentWebhookError)) {
      throw error;
    }
    throw new ManifestRefusedError(
      `${last.message}. Its webhook doesn't answer: repair what serves it, or delete its configuration, and run again`,
      { cause: last },
    );
  }
}

async function collecting(
  refusals: string[],
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ManifestRefusedError)) {
      throw error;
    }
    refusals.push(`${name}: ${error.message}`);
  }
}

/** Talos' inventory no longer has what was taken over, unless Talos' manifests still have it. */
async function forgetInTalos(
  cluster: ClusterObjects,
  applied: readonly AppliedObject[],
): Promise<void> {
  const recorded = new Set((await readInventory(cluster)).objects.map(inventoryKey));
  const removed = applied
    .map(({ object }) => referenceOf(object))
    .filter((reference) => recorded.has(inventoryKey(reference)));
  if (removed.length > 0) {
    await changeInventory(cluster, { removed });
  }
}

function isDefinition(object: KubernetesObject): boolean {
  return groupVersionOf(object).group === "apiextensions.k8s.io";
}

/** As in `syncManifests`: pods may still have the old template, also after an interrupted run. */
function isPending(
  object: KubernetesObject,
  change: AppliedObject["change"],
  isFirst: boolean,
): boolean {
  return (
    change !== "same" || hasOldPods(object) || (isFirst && missingOfRollout(object) !== undefined)
  );
}
