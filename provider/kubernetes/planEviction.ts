/** A pod, as far as a drain looks at it. Source: Kubernetes, `core/v1.Pod`. */
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

/** What a drain does with the pods of a node. */
export interface EvictionPlan {
  /** To evict. */
  readonly evict: readonly DrainablePod[];
  /** They end already, and are waited for. */
  readonly ending: readonly DrainablePod[];
  /** No controller makes them anew: they stay, and their names are told. */
  readonly unmanaged: readonly DrainablePod[];
}

/** Kubelets mark so what they show of the static pods of their machine. */
const MIRROR_ANNOTATION = "kubernetes.io/config.mirror";

/**
 * Sorts the pods of a node for a drain. Static pods and those of DaemonSets stay, as the node alone can have
 * them, and so do pods that have ended. Pods without a controller stay too: an eviction would delete them for
 * good, where a restart only starts them again. `kubectl drain --ignore-daemonsets` refuses those without
 * `--force`; Talos leaves them (Talos v1.12.1, `pkg/kubernetes.Client.Drain`).
 */
export function planEviction(pods: readonly DrainablePod[]): EvictionPlan {
  const evict: DrainablePod[] = [];
  const ending: DrainablePod[] = [];
  const unmanaged: DrainablePod[] = [];
  for (const pod of pods) {
    const { annotations, ownerReferences, deletionTimestamp } = pod.metadata;
    const owner = ownerReferences?.find(({ controller }) => controller === true);
    const hasEnded = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
    const isOfNode = annotations?.[MIRROR_ANNOTATION] !== undefined || owner?.kind === "DaemonSet";
    if (isOfNode || hasEnded) {
      continue;
    }
    if (typeof deletionTimestamp === "string") {
      ending.push(pod);
    } else if (owner === undefined) {
      unmanaged.push(pod);
    } else {
      evict.push(pod);
    }
  }
  return { evict, ending, unmanaged };
}

/** By which a person finds a pod. */
export function podName({ metadata }: DrainablePod): string {
  return `${metadata.namespace}/${metadata.name}`;
}
