import { describeObject, groupVersionOf, type KubernetesObject } from "./kubernetesObject";

/** The counts of a DaemonSet or a Deployment. Source: Kubernetes, `apps/v1`. */
interface WorkloadStatus {
  readonly observedGeneration?: number;
  readonly desiredNumberScheduled?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
}

/** Whether an object creates pods that are rolled out after a change. */
export function isRolledOut(object: KubernetesObject): boolean {
  return (
    groupVersionOf(object).group === "apps" && ["DaemonSet", "Deployment"].includes(object.kind)
  );
}

/** Whether some pods still have the old template. */
export function hasOldPods(object: KubernetesObject): boolean {
  const { updated, wanted } = countsOf(object);
  return updated < wanted;
}

/**
 * What a workload's rollout still lacks: every pod must have the newest template and be available.
 * Undefined if it is complete.
 */
export function missingOfRollout(object: KubernetesObject): string | undefined {
  const name = describeObject(object);
  const { status, isDaemon, wanted, updated, available } = countsOf(object);
  if ((status.observedGeneration ?? 0) < (object.metadata.generation ?? 0)) {
    return `${name}: its controller hasn't seen it yet`;
  }
  if (updated < wanted) {
    return `${name}: ${updated} of ${wanted} pods are new`;
  }
  if (!isDaemon && (status.replicas ?? 0) > updated) {
    return `${name}: ${(status.replicas ?? 0) - updated} old pods are left`;
  }
  return available < wanted ? `${name}: ${available} of ${wanted} pods are available` : undefined;
}

function countsOf(object: KubernetesObject) {
  const status = (object.status ?? {}) as WorkloadStatus;
  const { replicas = 1 } = (object.spec ?? {}) as { readonly replicas?: number };
  const isDaemon = object.kind === "DaemonSet";
  return {
    status,
    isDaemon,
    wanted: (isDaemon ? status.desiredNumberScheduled : replicas) ?? 0,
    updated: (isDaemon ? status.updatedNumberScheduled : status.updatedReplicas) ?? 0,
    available: (isDaemon ? status.numberAvailable : status.availableReplicas) ?? 0,
  };
}
