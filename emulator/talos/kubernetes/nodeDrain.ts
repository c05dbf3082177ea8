import { textAt } from "../config/yamlPath";
import type { Timers } from "../machine/timers";
import { evict } from "./eviction";
import { controllerOf, type KubernetesObject } from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { builtIn, keyOf } from "./objectStore";
import { nodeNameOf } from "./podStore";
import { KubernetesFailure } from "./statusObject";

/** A node to drain. */
export interface NodeDrain {
  /** The API server that is reachable at a moment. */
  readonly store: () => KubernetesStore | undefined;
  readonly name: string;
  readonly timers: Timers;
  /** The deadline, after which Talos continues anyway. Real: 5 minutes. */
  readonly drainMs: number;
}

const podKind = builtIn("pods");
/** The grace period of Talos' evictions. */
const GRACE_PERIOD_SECONDS = 60;
/** The number of Talos' attempts before its deadline: one every 5 s. */
const ATTEMPTS = 60;

/**
 * Evicts a node's pods as Talos does before a shutdown: all pods that a controller would recreate
 * elsewhere, at once. Pods without a controller, of DaemonSets and static ones stay.
 * PodDisruptionBudgets are respected until the deadline, after which Talos continues. Source: talos
 * v1.12.1, `pkg/kubernetes/kubernetes.go`.
 */
export async function drainNode({ store, name, timers, drainMs }: NodeDrain): Promise<void> {
  const leaving = (store()?.objects.list(podKind) ?? []).filter(
    (pod) => nodeNameOf(pod) === name && isMovable(pod),
  );
  const stepMs = drainMs / ATTEMPTS;
  let left = [...leaving];
  const evicted = new Set<string>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = store();
    if (!current) {
      return;
    }
    left = left.filter((pod) => isThere(current, pod));
    for (const pod of left) {
      const uid = textAt(pod, "metadata", "uid") ?? "";
      if (!evicted.has(uid) && isEvicted(current, pod)) {
        evicted.add(uid);
      }
    }
    if (left.length === 0) {
      return;
    }
    await timers.delay(stepMs);
  }
}

function isMovable(pod: KubernetesObject): boolean {
  const owner = controllerOf(pod);
  return owner !== undefined && owner.kind !== "DaemonSet";
}

function isThere(store: KubernetesStore, pod: KubernetesObject): boolean {
  const found = store.objects.find(podKind, keyOf(pod));
  return textAt(found, "metadata", "uid") === textAt(pod, "metadata", "uid");
}

function isEvicted(store: KubernetesStore, pod: KubernetesObject): boolean {
  try {
    evict(
      store,
      keyOf(pod),
      { gracePeriodSeconds: GRACE_PERIOD_SECONDS },
      { isDryRun: false, now: new Date() },
    );
    return true;
  } catch (error) {
    // Blocked evictions are retried; Talos only logs other errors.
    return !(error instanceof KubernetesFailure && error.code === 429);
  }
}
