import { objectPath } from "../kubernetes/apiResources";
import {
  INVENTORY,
  inventoryKey,
  type ObjectReference,
  parseInventoryKey,
} from "../kubernetes/inventory";
import { KubernetesApiError } from "../kubernetes/kubernetesApi";
import type { KubernetesObject } from "../kubernetes/kubernetesObject";
import type { ClusterObjects } from "./clusterObjects";

const CONFLICT = 409;
const ATTEMPTS = 5;

const resource = { groupVersion: "v1", plural: "configmaps", isNamespaced: true };
const { namespace, name } = INVENTORY;
const path = objectPath(resource, { namespace, name });

/** The objects from Talos' manifests, as recorded in the cluster. */
export async function readInventory(cluster: ClusterObjects): Promise<readonly ObjectReference[]> {
  const found = await cluster.read<KubernetesObject>(path);
  return Object.keys(dataOf(found)).flatMap((key) => parseInventoryKey(key) ?? []);
}

/**
 * Records which objects came from Talos' manifests, and which no longer do. It writes nothing if
 * that is already recorded.
 */
export async function changeInventory(
  cluster: ClusterObjects,
  added: readonly ObjectReference[],
  removed: readonly ObjectReference[] = [],
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write(cluster, added.map(inventoryKey), removed.map(inventoryKey));
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
  added: readonly string[],
  removed: readonly string[],
): Promise<void> {
  const found = await cluster.read<KubernetesObject>(path);
  const data = dataOf(found);
  const kept = Object.keys(data).filter((key) => !removed.includes(key));
  const isSame = kept.length === Object.keys(data).length && added.every((key) => key in data);
  if (found !== undefined && isSame) {
    return;
  }
  const keys = [...new Set([...kept, ...added])].sort();
  const body = {
    apiVersion: "v1",
    kind: "ConfigMap",
    ...found,
    metadata: found?.metadata ?? { name, namespace },
    data: Object.fromEntries(keys.map((key) => [key, data[key] ?? ""])),
  };
  await (found === undefined
    ? cluster.send({ method: "POST", path: path.slice(0, path.lastIndexOf("/")), body })
    : cluster.send({ method: "PUT", path, body }));
}

function dataOf(found: KubernetesObject | undefined): Readonly<Record<string, string>> {
  return (found?.data ?? {}) as Readonly<Record<string, string>>;
}
