/** How a container ended. Times are in the form of Kubernetes, to the second. */
export interface ContainerExit {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** `containerd://` and its id. */
  readonly containerID: string;
}

/** The state of a pod's only container. Times are in Kubernetes' form. */
export interface ContainerStatus {
  readonly image: string;
  /** The pod's uid: another definition is another pod. */
  readonly podUid: string;
  readonly podStartedAt: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state:
    /** For a new pod whose container is not known yet. */
    | undefined
    | { readonly running: { readonly startedAt: string } }
    | { readonly terminated: ContainerExit }
    | { readonly waiting: { readonly reason: string; readonly message?: string } };
  readonly lastExit?: ContainerExit;
  readonly restartCount: number;
  /** Whether its startup probe succeeded, or without one, whether it runs. */
  readonly started: boolean;
  /**
   * Whether it runs and its readiness probe succeeds, or without one, whether it runs and has
   * started.
   */
  readonly ready: boolean;
  readonly readyChangedAt: string;
}

/** The node of a pod. */
export interface PodPlace {
  readonly hostIP: string;
  readonly podIP: string;
}

/**
 * Whether a pod is pending: its container waits and has never run. Source: kubernetes v1.35,
 * `kubelet/kubelet_pods.go`, `getPhase`.
 */
export function isPending({ state, lastExit }: ContainerStatus): boolean {
  return (state === undefined || "waiting" in state) && lastExit === undefined;
}

/** The status of a pod with one container, as `v1.PodStatus`. */
export function podStatus(name: string, container: ContainerStatus, place: PodPlace) {
  const { image, state, lastExit, restartCount, started, ready } = container;
  // Observed on real nodes while the former pod of that name is ending.
  if (state === undefined) {
    return { phase: "Pending" };
  }
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
