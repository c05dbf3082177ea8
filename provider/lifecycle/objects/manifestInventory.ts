import { isDeepStrictEqual } from "node:util";
import { objectPath } from "../../kubernetes/apiResources";
import {
  INVENTORY,
  inventoryKey,
  listOfInventory,
  objectsInventory,
  type ObjectReference,
  parseInventoryKey,
} from "../../kubernetes/inventory";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import type { KubernetesObject } from "../../kubernetes/kubernetesObject";
import { parseAnswer } from "../../kubernetes/parseAnswer";
import type { KubernetesAccess } from "../kubernetes/kubernetesAccess";
import type { ClusterObjects } from "./clusterObjects";

const NOT_FOUND = 404;
const CONFLICT = 409;
const ATTEMPTS = 5;

/** No key has it: names of Kubernetes have none. */
const SEPARATOR = ",";

const resource = { groupVersion: "v1", plural: "configmaps", isNamespaced: true };
const { namespace } = INVENTORY;

/** The path of the ConfigMap that is an inventory. */
export function inventoryPath(name: string): string {
  return objectPath(resource, { namespace, name });
}

/**
 * Names the workloads that a run waits for: one that is killed or fails leaves it. Talos v1.13 drops
 * it where it writes the ConfigMap itself, such as in `talosctl upgrade-k8s`, which waits on its own
 * (siderolabs/go-kubernetes, `kubernetes/ssa/internal/inventory/configmap`).
 */
const AWAITED_ANNOTATION = "pulumi-talos-aws/awaited";

/** Says that a run has begun to change objects. One that is killed leaves it. */
const UNFINISHED_ANNOTATION = "pulumi-talos-aws/unfinished";

/** What is recorded in the cluster. */
export interface Inventory {
  /** The objects from the manifests. */
  readonly objects: readonly ObjectReference[];
  /** The keys of workloads among them that no run has waited for to the end. */
  readonly awaited: readonly string[];
}

/** What to record. */
export interface InventoryChange {
  /** Objects that came from the manifests. Default: none. */
  readonly added?: readonly ObjectReference[];
  /** Objects that are deleted. Default: none. */
  readonly removed?: readonly ObjectReference[];
  /** All workloads that still have to be waited for. Default: as recorded. */
  readonly awaited?: readonly ObjectReference[];
  /** Whether objects are being changed. Default: as recorded. */
  readonly isUnfinished?: boolean;
}

/**
 * Reads what is recorded in the cluster.
 *
 * @param name of the ConfigMap. Default: that of Talos' manifests
 * @param formerly keys that a state has too, in case that others have deleted the ConfigMap
 */
export async function readInventory(
  cluster: ClusterObjects,
  name: string = INVENTORY.name,
  formerly: readonly string[] = [],
): Promise<Inventory> {
  const found = await cluster.read<KubernetesObject>(inventoryPath(name));
  const keys = new Set([...Object.keys(dataOf(found)), ...formerly]);
  return {
    objects: [...keys].flatMap((key) => parseInventoryKey(key) ?? []),
    awaited: awaitedOf(found),
  };
}

/**
 * Whether the run that last changed the objects of a `KubernetesObjects` has not come to its end: it failed,
 * or was killed. Where nobody has recorded objects, none is unfinished.
 *
 * @param inventory the resource's argument
 * @throws Error when Kubernetes doesn't answer
 */
export async function areObjectsUnfinished(
  access: KubernetesAccess,
  inventory: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const path = inventoryPath(objectsInventory(inventory));
    return isMarkedUnfinished(await access.read<KubernetesObject>(path, signal));
  } catch (error) {
    if (error instanceof KubernetesApiError && error.status === NOT_FOUND) {
      return false;
    }
    throw error;
  }
}

/**
 * The lists of a cluster that a run has left half applied, each by its `KubernetesObjects.inventory`.
 *
 * @param get answers with the body at a path
 */
export async function readUnfinishedLists(
  get: (path: string) => Promise<string>,
): Promise<readonly string[]> {
  const answer = await get(`/api/v1/namespaces/${namespace}/${resource.plural}`);
  const { items } = parseAnswer(answer) as { readonly items: readonly KubernetesObject[] };
  return items
    .filter(isMarkedUnfinished)
    .flatMap(({ metadata: { name } }) => listOfInventory(name) ?? []);
}

/**
 * Records which objects came from manifests, which no longer do, and which are waited for. It writes
 * nothing if that is already recorded.
 *
 * @param name of the ConfigMap. Default: that of Talos' manifests
 */
export async function changeInventory(
  cluster: ClusterObjects,
  change: InventoryChange,
  name: string = INVENTORY.name,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write(cluster, name, change);
      return;
    } catch (error) {
      // Talos itself may write it at the same moment.
      const isConflict = error instanceof KubernetesApiError && error.status === CONFLICT;
      if (!isConflict || attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

async function write(
  cluster: ClusterObjects,
  name: string,
  change: InventoryChange,
): Promise<void> {
  const path = inventoryPath(name);
  const found = await cluster.read<KubernetesObject>(path);
  const data = dataOf(found);
  const added = (change.added ?? []).map(inventoryKey);
  const removed = (change.removed ?? []).map(inventoryKey);
  const recorded = awaitedOf(found);
  const awaited = change.awaited?.map(inventoryKey).sort() ?? recorded;
  const wasUnfinished = isMarkedUnfinished(found);
  const { isUnfinished = wasUnfinished } = change;
  const kept = Object.keys(data).filter((key) => !removed.includes(key));
  const isSame =
    kept.length === Object.keys(data).length &&
    added.every((key) => key in data) &&
    isUnfinished === wasUnfinished &&
    isDeepStrictEqual(awaited, recorded);
  if (found !== undefined && isSame) {
    return;
  }
  const keys = [...new Set([...kept, ...added])].sort();
  const metadata = found?.metadata ?? { name, namespace };
  const {
    [AWAITED_ANNOTATION]: _,
    [UNFINISHED_ANNOTATION]: __,
    ...annotations
  } = metadata.annotations ?? {};
  const mark = {
    ...(awaited.length > 0 && { [AWAITED_ANNOTATION]: awaited.join(SEPARATOR) }),
    ...(isUnfinished && { [UNFINISHED_ANNOTATION]: "true" }),
  };
  const body = {
    apiVersion: "v1",
    kind: "ConfigMap",
    ...found,
    metadata: { ...metadata, annotations: { ...annotations, ...mark } },
    data: Object.fromEntries(keys.map((key) => [key, data[key] ?? ""])),
  };
  await (found === undefined
    ? cluster.send({ method: "POST", path: path.slice(0, path.lastIndexOf("/")), body })
    : cluster.send({ method: "PUT", path, body }));
}

function dataOf(found: KubernetesObject | undefined): Readonly<Record<string, string>> {
  return (found?.data ?? {}) as Readonly<Record<string, string>>;
}

function isMarkedUnfinished(found: KubernetesObject | undefined): boolean {
  return found?.metadata.annotations?.[UNFINISHED_ANNOTATION] === "true";
}

function awaitedOf(found: KubernetesObject | undefined): readonly string[] {
  const { [AWAITED_ANNOTATION]: text = "" } = found?.metadata.annotations ?? {};
  return text.split(SEPARATOR).filter((key) => key !== "");
}
