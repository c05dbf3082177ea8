import { WaitTimeoutError, waitFor } from "../api/waitFor";
import { clock } from "../base/clock";
import { type ApiResource, inApplyOrder, placed } from "../kubernetes/apiResources";
import { inventoryKey, OBJECTS_MANAGER, referenceOf } from "../kubernetes/inventory";
import {
  describeObject,
  groupVersionOf,
  type KubernetesObject,
} from "../kubernetes/kubernetesObject";
import { appliedDigest } from "../kubernetes/ownedFields";
import { hasOldPods, isRolledOut, missingOfRollout } from "../kubernetes/rollout";
import { ManifestRefusedError } from "./applyManifest";
import { type AppliedObject, applyObject } from "./applyObject";
import { awaitRollout } from "./awaitRollout";
import { ClusterObjects } from "./clusterObjects";
import { giveUpInTurn, type GivingUpInTurn } from "./giveUpInTurn";
import { talosKeys } from "./giveUpObjects";
import { changeInventory, readInventory } from "./manifestInventory";
import { CONTAINERS } from "./pruneManifests";

/** A cluster that must have the objects of a list. */
export interface ObjectSync extends GivingUpInTurn {
  readonly objects: readonly KubernetesObject[];
  /** Whether it waits until workloads that it changed are rolled out. */
  readonly awaitsRollouts: boolean;
}

/**
 * How long a definition may take to be served, or what others bring: an operator its kinds, Talos the
 * namespaces and definitions of its manifests.
 */
const DEFINITION_MS = 120_000;

/** An object, and where the API server has it. */
interface Placed {
  readonly object: KubernetesObject;
  readonly resource: ApiResource;
}

/**
 * Applies a list of objects to a cluster: namespaces, then definitions until they are served, then all
 * others. Then it deletes objects that left the list, and waits for changed DaemonSets and Deployments.
 * The inventory has each object before the cluster has it. So a killed run can continue, with the same
 * list or with another one. It also says that a run has begun, which `areObjectsUnfinished` reads.
 *
 * @returns a digest of each object as applied, by its name: `Deployment kube-system/x`
 * @throws ManifestRefusedError that names every object that can't be applied; nothing is deleted then
 * @throws WaitTimeoutError at the deadline
 */
export async function syncObjects(sync: ObjectSync): Promise<Readonly<Record<string, string>>> {
  const cluster = new ClusterObjects(sync);
  const { owner } = sync;
  const before = await readInventory(cluster, owner);
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
  return Object.fromEntries(
    applied.map(({ object }) => [
      describeObject(object),
      appliedDigest(object, OBJECTS_MANAGER) ?? "",
    ]),
  );
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
  let known: Promise<ReadonlySet<string>> | undefined;
  const ofTalos = () => (known ??= talosKeys(sync));
  const apply = async (objects: readonly Placed[]) => {
    const added = objects.map(({ object, resource }) => referenceOf(placed(object, resource)));
    await changeInventory(cluster, { added, isUnfinished: true }, owner);
    for (const item of objects) {
      const name = describeObject(placed(item.object, item.resource));
      await collecting(refusals, name, async () => {
        const result = await applyObject(cluster, item, {
          owner,
          progress,
          talosKeys: ofTalos,
          deadline: sync.deadline,
        });
        applied.push(result);
        if (result.change !== "same") {
          progress.report(`${name}: ${result.change}`);
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
  return applied;
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

/** The objects whose kind and namespace the API server has, and the others. */
async function located(
  cluster: ClusterObjects,
  objects: readonly KubernetesObject[],
): Promise<{ readonly found: readonly Placed[]; readonly missing: readonly KubernetesObject[] }> {
  const found: Placed[] = [];
  const missing: KubernetesObject[] = [];
  const namespaces = new Map<string, boolean>();
  for (const object of objects) {
    const resource = await cluster.resourceOf(object);
    const name = resource && namespaceOf(object, resource);
    if (name !== undefined && !namespaces.has(name)) {
      namespaces.set(name, await hasNamespace(cluster, name));
    }
    if (resource === undefined || (name !== undefined && namespaces.get(name) !== true)) {
      missing.push(object);
    } else {
      found.push({ object, resource });
    }
  }
  return { found, missing };
}

/** The namespace that an object goes to; undefined for a cluster-wide kind. */
function namespaceOf(object: KubernetesObject, resource: ApiResource): string | undefined {
  return placed(object, resource).metadata.namespace;
}

async function hasNamespace(cluster: ClusterObjects, name: string): Promise<boolean> {
  const namespace = { groupVersion: "v1", plural: "namespaces", isNamespaced: false };
  return (await cluster.find(namespace, { name })) !== undefined;
}

/** Waits until a definition is served. Source: Kubernetes, `apiextensions/v1`, `Established`. */
async function awaitEstablished(
  cluster: ClusterObjects,
  definition: KubernetesObject,
  { deadline, progress }: ObjectSync,
): Promise<void> {
  const name = describeObject(definition);
  await waitFor<undefined>({
    what: `${name} to be served`,
    deadlineMs: Math.min(deadline - clock.now(), DEFINITION_MS),
    report: progress.report,
    probe: async () => {
      const resource = await cluster.resourceOf(definition);
      const now = resource && (await cluster.find(resource, definition.metadata));
      const { conditions } = (now?.status ?? {}) as {
        // Null in a definition that is new.
        readonly conditions?:
          | readonly {
              readonly type: string;
              readonly status: string;
              readonly message?: string;
            }[]
          | null;
      };
      const isTrue = (type: string) =>
        conditions?.some((each) => each.type === type && each.status === "True");
      const refusal = conditions?.find(
        (each) => each.type === "NamesAccepted" && each.status === "False",
      );
      return isTrue("Established")
        ? { done: true, value: undefined }
        : { done: false, status: refusal?.message ?? "the API server hasn't established it yet" };
    },
  });
}

/**
 * Waits for the kind and the namespace of an object, which the API server doesn't have yet: it may be about
 * to serve a definition, or an operator or Talos brings them.
 */
async function awaitPlace(
  cluster: ClusterObjects,
  object: KubernetesObject,
  { deadline, progress }: Pick<ObjectSync, "deadline" | "progress">,
): Promise<ApiResource> {
  const { apiVersion, kind } = object;
  let missingNamespace: string | undefined;
  try {
    return await waitFor<ApiResource>({
      what: `the place of ${describeObject(object)}`,
      deadlineMs: deadline - clock.now(),
      report: progress.report,
      probe: async () => {
        const resource = await cluster.resourceOf(object);
        if (resource === undefined) {
          const status = `the API server has no kind "${kind}" in "${apiVersion}"`;
          return { done: false, status };
        }
        const name = namespaceOf(object, resource);
        if (name === undefined || (await hasNamespace(cluster, name))) {
          return { done: true, value: resource };
        }
        missingNamespace = name;
        return { done: false, status: `there is no namespace "${name}"` };
      },
    });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) {
      throw error;
    }
    throw new ManifestRefusedError(
      missingNamespace === undefined
        ? `the API server has no kind "${kind}" in "${apiVersion}": correct it, add its definition to the list, or run again once others have installed it`
        : `there is no namespace "${missingNamespace}": correct it, add it to the list, or run again once others have made it`,
      { cause: error },
    );
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
