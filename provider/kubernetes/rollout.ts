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

/** The parts of a pod that tell how a rollout goes. Source: Kubernetes, `core/v1.Pod`. */
export interface RolledOutPod {
  readonly metadata: {
    readonly deletionTimestamp?: string | null;
    readonly ownerReferences?: readonly { readonly uid: string }[] | null;
  };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null;
  };
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

/**
 * Whether these nodes alone block a DaemonSet's rollout: they have pods of it, and each of its
 * other pods runs and is ready. A Deployment isn't blocked, because its pods move to other nodes.
 */
export function isBlockedByNodes(
  workload: KubernetesObject,
  pods: readonly RolledOutPod[],
  nodes: readonly string[],
): boolean {
  const own = pods.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => uid === workload.metadata.uid),
  );
  const others = own.filter(({ spec }) => !nodes.includes(spec?.nodeName ?? ""));
  return workload.kind === "DaemonSet" && others.length < own.length && others.every(isUp);
}

function isUp({ metadata, status }: RolledOutPod): boolean {
  return (
    typeof metadata.deletionTimestamp !== "string" &&
    (status?.conditions ?? []).some((each) => each.type === "Ready" && each.status === "True")
  );
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
