/** The parts of a pod that a drain needs. Source: Kubernetes, `core/v1.Pod`. */
export interface DrainablePod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly deletionTimestamp?: string | null;
    readonly annotations?: Readonly<Record<string, string>> | null;
    readonly ownerReferences?:
      readonly { readonly kind: string; readonly controller?: boolean | null }[] | null;
  };
  readonly status?: { readonly phase?: string };
}

/** The plan for the pods of a node. */
export interface EvictionPlan {
  /** Pods to evict. */
  readonly evict: readonly DrainablePod[];
  /** Pods that are being deleted; the drain waits until the API server no longer has them. */
  readonly ending: readonly DrainablePod[];
  /** Pods that no controller would recreate. They stay, and a warning names them. */
  readonly unmanaged: readonly DrainablePod[];
}

/** The annotation with which kubelets mark the mirror pods of static pods. */
const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

/**
 * Sorts the pods of a node for a drain. Static pods and those of DaemonSets stay, because they
 * belong to the node. Pods that have ended stay too, unless they are being deleted. A kubelet
 * removes those from the API after it has unmounted their volumes (Kubernetes v1.35,
 * `Kubelet.SyncTerminatedPod`). Pods without a controller also stay: an eviction would delete them
 * forever, but a restart only restarts them. `kubectl drain --ignore-daemonsets` refuses those
 * without `--force`; Talos leaves them (Talos v1.12.1, `pkg/kubernetes.Client.Drain`).
 */
export function planEviction(pods: readonly DrainablePod[]): EvictionPlan {
  const evict: DrainablePod[] = [];
  const ending: DrainablePod[] = [];
  const unmanaged: DrainablePod[] = [];
  for (const pod of pods) {
    const { annotations, ownerReferences, deletionTimestamp } = pod.metadata;
    const owner = ownerReferences?.find(({ controller }) => controller === true);
    const isDeleted = typeof deletionTimestamp === "string";
    const hasEnded = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
    const isOfNode = annotations?.[MIRROR_ANNOTATION] !== undefined || owner?.kind === "DaemonSet";
    if (isOfNode || (hasEnded && !isDeleted)) {
      continue;
    }
    if (isDeleted) {
      ending.push(pod);
    } else if (owner === undefined) {
      unmanaged.push(pod);
    } else {
      evict.push(pod);
    }
  }
  return { evict, ending, unmanaged };
}

/** Namespace and name of a pod, for messages. */
export function podName({ metadata }: DrainablePod): string {
  return `${metadata.namespace}/${metadata.name}`;
}
