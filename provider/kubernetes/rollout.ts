import { describeObject, groupVersionOf, type KubernetesObject } from "./kubernetesObject";

/** The counts of a DaemonSet, a Deployment or a StatefulSet. Source: Kubernetes, `apps/v1`. */
interface WorkloadStatus {
  readonly observedGeneration?: number;
  readonly desiredNumberScheduled?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
}

/** What decides which pods a change replaces. Source: Kubernetes, `apps/v1`. */
interface WorkloadSpec {
  readonly replicas?: number;
  /** Of a DaemonSet or a StatefulSet. */
  readonly updateStrategy?: {
    readonly type?: string;
    readonly rollingUpdate?: { readonly partition?: number };
  };
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
    groupVersionOf(object).group === "apps" &&
    ["DaemonSet", "Deployment", "StatefulSet"].includes(object.kind)
  );
}

/** Whether some pods still have the old template. */
export function hasOldPods(object: KubernetesObject): boolean {
  const { updated, toUpdate } = countsOf(object);
  return updated < toUpdate;
}

/**
 * What a workload's rollout still lacks: every pod must have the newest template and be available. A pod that
 * its workload doesn't replace by itself may have an older one: with `OnDelete`, or below the partition of
 * a StatefulSet. Undefined if it is complete.
 */
export function missingOfRollout(object: KubernetesObject): string | undefined {
  const name = describeObject(object);
  const { status, wanted, updated, toUpdate, available } = countsOf(object);
  if ((status.observedGeneration ?? 0) < (object.metadata.generation ?? 0)) {
    return `${name}: its controller hasn't seen it yet`;
  }
  if (updated < toUpdate) {
    return `${name}: ${updated} of ${toUpdate} pods are new`;
  }
  if (object.kind === "Deployment" && (status.replicas ?? 0) > updated) {
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
  const { replicas = 1, updateStrategy: { type, rollingUpdate: { partition = 0 } = {} } = {} } =
    (object.spec ?? {}) as WorkloadSpec;
  const isDaemon = object.kind === "DaemonSet";
  const wanted = (isDaemon ? status.desiredNumberScheduled : replicas) ?? 0;
  return {
    status,
    wanted,
    toUpdate: type === "OnDelete" ? 0 : Math.max(0, wanted - partition),
    updated: (isDaemon ? status.updatedNumberScheduled : status.updatedReplicas) ?? 0,
    available: (isDaemon ? status.numberAvailable : status.availableReplicas) ?? 0,
  };
}
