import { clock } from "../../base/clock";
import { talosMinor } from "../../config/releases/talosMinor";
import { inApplyOrder, placed } from "../../kubernetes/apiResources";
import { inventoryKey, referenceOf } from "../../kubernetes/inventory";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import { hasOldPods, isRolledOut, missingOfRollout } from "../../kubernetes/rollout";
import { type AppliedManifest, applyManifest, ManifestRefusedError } from "./applyManifest";
import { awaitRollout } from "./awaitRollout";
import { ClusterObjects, type ClusterWork } from "./clusterObjects";
import { changeInventory, readInventory } from "./manifestInventory";
import { pruneManifests } from "./pruneManifests";
import { type ManifestObject, readManifests, type RenderedManifests } from "./talosManifests";

/** How long Talos may take to create its objects in a new cluster. */
const CREATION_MS = 60_000;

/**
 * The first Talos whose talosctl marks objects with their inventory. An older one compares whole
 * objects, and would remove the mark again (go-kubernetes v0.2.28, `kubernetes/manifests/sync.go`).
 */
const MARKING_MINOR = 13;

/** A cluster whose objects must match Talos' manifests. */
export interface ManifestSync extends ClusterWork {
  /** The manifests that the configuration names: inline ones and URLs. */
  readonly named: readonly string[];
  /**
   * The keys of workloads that former runs found or waited for: what `syncManifests` returned last.
   * Without it, those that the cluster records, which Talos v1.13 does as soon as it creates one.
   */
  readonly knownWorkloads?: readonly string[] | undefined;
}

/**
 * Applies the manifests that Talos renders to a cluster, as `talosctl upgrade-k8s` does. It applies
 * each object with Talos' field manager (server-side apply), deletes objects that no manifest
 * contains any more, and waits for changed DaemonSets and Deployments. It records the objects where
 * Talos 1.13 does. Fields that others have set stay, with a warning. An interrupted run can
 * continue: applying the same object again changes nothing, and what that run waited for is recorded
 * before it waits.
 *
 * Sources: talos v1.12.1, `pkg/cluster/kubernetes/talos_managed.go`; siderolabs/go-kubernetes,
 * `kubernetes/manifests`, `kubernetes/ssa`.
 *
 * @returns the keys of all workloads among the objects
 * @throws ManifestRefusedError that names every object that can't be applied; nothing is deleted
 * then
 * @throws WaitTimeoutError at the deadline
 */
export async function syncManifests(sync: ManifestSync): Promise<readonly string[]> {
  const { progress } = sync;
  const cluster = new ClusterObjects(sync);
  const rendered = await readManifests(sync);
  const before = await readInventory(cluster);
  const { applied, refusals } = await applyAll(cluster, rendered, sync);
  const references = applied.map(({ object }) => referenceOf(object));
  const known = new Set(sync.knownWorkloads ?? before.objects.map(inventoryKey));
  const awaited = applied.filter((each) => {
    const key = inventoryKey(referenceOf(each.object));
    const isFirst = !known.has(key) || before.awaited.includes(key);
    return isRolledOut(each.object) && isPending(each, isFirst);
  });
  await changeInventory(cluster, {
    added: references,
    awaited: awaited.map(({ object }) => referenceOf(object)),
  });
  if (refusals.length > 0) {
    throw new ManifestRefusedError(
      `Talos' manifests can't be applied to the cluster. ${refusals.join("; ")}`,
    );
  }
  const kept = new Set(references.map(inventoryKey));
  const gone = before.objects.filter((reference) => !kept.has(inventoryKey(reference)));
  const removed = await pruneManifests(cluster, gone, progress);
  await changeInventory(cluster, { removed });
  for (const { object } of awaited) {
    await awaitRollout(cluster, object, sync);
  }
  await changeInventory(cluster, { awaited: [] });
  return workloadKeys(applied.map(({ object }) => object));
}

function workloadKeys(objects: readonly KubernetesObject[]): readonly string[] {
  return objects
    .filter(isRolledOut)
    .map((object) => inventoryKey(referenceOf(object)))
    .sort();
}

/**
 * Records which objects of a cluster came from Talos' manifests, so that they can be deleted once
 * no manifest contains them. It changes nothing else. Talos gets some time to create them.
 *
 * @returns the keys of the workloads among them
 */
export async function noteManifests(sync: ManifestSync): Promise<readonly string[]> {
  const cluster = new ClusterObjects(sync);
  const { objects: rendered } = await readManifests(sync);
  const deadline = Math.min(sync.deadline, clock.now() + CREATION_MS);
  let missing = rendered;
  const present: KubernetesObject[] = [];
  for (;;) {
    const absent: ManifestObject[] = [];
    for (const item of missing) {
      const resource = await cluster.resourceOf(item.object);
      const found = resource && (await cluster.find(resource, item.object.metadata));
      if (found === undefined) {
        absent.push(item);
      } else {
        present.push(found);
      }
    }
    missing = absent;
    if (missing.length === 0 || clock.now() >= deadline) {
      break;
    }
    const names = missing.map(({ object }) => describeObject(object)).join(", ");
    sync.progress.report(`waiting for Talos to create objects of its manifests: ${names}`);
    await clock.pause(1_000, new AbortController().signal);
  }
  await changeInventory(cluster, { added: present.map(referenceOf) });
  return workloadKeys(present);
}

async function applyAll(
  cluster: ClusterObjects,
  { objects, talosVersion }: RenderedManifests,
  { progress }: ManifestSync,
): Promise<{ readonly applied: readonly AppliedManifest[]; readonly refusals: readonly string[] }> {
  const applied: AppliedManifest[] = [];
  const refusals: string[] = [];
  const isMarked = (talosMinor(talosVersion) ?? MARKING_MINOR) >= MARKING_MINOR;
  for (const item of inApplyOrder(objects)) {
    const resource = await cluster.resourceOf(item.object);
    // Talos v1.14 leaves out the default namespace, which earlier ones write into the object.
    const name = describeObject(resource ? placed(item.object, resource) : item.object);
    try {
      const result = await applyManifest(cluster, item, isMarked);
      applied.push(result);
      if (result.change !== "same") {
        progress.report(`${name}: ${result.change}`);
      }
      if (result.contested.length > 0) {
        progress.warn(contestedText(name, result));
      }
    } catch (error) {
      if (!(error instanceof ManifestRefusedError)) {
        throw error;
      }
      refusals.push(`${name} of the manifest "${item.manifest}": ${error.message}`);
    }
  }
  return { applied, refusals };
}

function contestedText(name: string, { contested }: AppliedManifest): string {
  const fields = contested.map(({ field, manager }) => `${field} (set by ${manager})`);
  return `${name}: fields that others have set are kept: ${fields.join(", ")}. Talos renders other values: \`talosctl upgrade-k8s\` would overwrite it`;
}

/**
 * Whether a workload has to be waited for: pods may still have the old template, also after an
 * interrupted run.
 *
 * @param isFirst whether no run has waited for it to the end. Talos itself creates a new object as
 *   soon as a machine has the configuration. So it is the same here, and its pods may never start
 */
function isPending({ object, change }: AppliedManifest, isFirst: boolean): boolean {
  return (
    change !== "same" || hasOldPods(object) || (isFirst && missingOfRollout(object) !== undefined)
  );
}
