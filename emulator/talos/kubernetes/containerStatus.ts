/** How a container ended. Times are in the form of Kubernetes, to the second. */
export interface ContainerExit {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** What the only container of a pod is doing. Times are in the form of Kubernetes. */
export interface ContainerStatus {
  readonly image: string;
  /** Of the pod: another definition is another pod. */
  readonly podUid: string;
  readonly podStartedAt: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state:
    /** Of a pod that was just made: nothing is known of its container yet. */
    | undefined
    | { readonly running: { readonly startedAt: string } }
    | { readonly terminated: ContainerExit }
    | { readonly waiting: { readonly reason: string; readonly message?: string } };
  readonly lastExit?: ContainerExit;
  readonly restartCount: number;
  /** Whether its startup probe succeeded; without one, whether it runs. */
  readonly started: boolean;
  /** Whether it runs and its readiness probe succeeds; without one, whether it runs and started. */
  readonly ready: boolean;
  readonly readyChangedAt: string;
}

/** Where a pod runs. */
export interface PodPlace {
  readonly hostIP: string;
  readonly podIP: string;
}

/**
 * Whether a pod counts as pending: its container waits and never ran before. Source: kubernetes
 * v1.35, `kubelet/kubelet_pods.go`, `getPhase`.
 */
export function isPending({ state, lastExit }: ContainerStatus): boolean {
  return (state === undefined || "waiting" in state) && lastExit === undefined;
}

/** The status of a pod with one container, as `v1.PodStatus`. */
export function podStatus(name: string, container: ContainerStatus, place: PodPlace) {
  const { image, state, lastExit, restartCount, started, ready } = container;
  // Observed on real nodes while the old pod of that name was still ending.
  if (state === undefined) return { phase: "Pending" };
  const condition = (type: string, isTrue: boolean, lastTransitionTime: string) => ({
    type,
    status: isTrue ? "True" : "False",
    lastProbeTime: null,
    lastTransitionTime,
    ...(isTrue
      ? {}
      : {
          reason: "ContainersNotReady",
          message: `containers with unready status: [${name}]`,
        }),
  });
  const { podStartedAt, readyChangedAt } = container;
  return {
    phase: isPending(container) ? "Pending" : "Running",
    conditions: [
      condition("PodReadyToStartContainers", true, podStartedAt),
      condition("Initialized", true, podStartedAt),
      condition("Ready", ready, readyChangedAt),
      condition("ContainersReady", ready, readyChangedAt),
      condition("PodScheduled", true, podStartedAt),
    ],
    ...place,
    hostIPs: [{ ip: place.hostIP }],
    podIPs: [{ ip: place.podIP }],
    startTime: podStartedAt,
    containerStatuses: [
      {
        name,
        state: "terminated" in state ? { terminated: { ...state.terminated } } : state,
        lastState: lastExit === undefined ? {} : { terminated: { ...lastExit } },
        ready,
        restartCount,
        image,
        imageID: "",
        started,
      },
    ],
    qosClass: "Burstable",
  };
}
