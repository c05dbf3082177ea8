import { at, fields, flag, listOf, orElse, type SpecShape, text, wholeNumber } from "./specShape";
import type { ResourceKind } from "./typedResource";

/** A pod that a machine's configuration has its kubelet run, as Talos renders it. */
export interface StaticPodSpec {
  name: string;
  namespace: string;
  /**
   * Whether its text names the version of what it is made of, as Talos has it for the control plane: then
   * each change of it is another pod to the kubelet.
   */
  isVersioned: boolean;
}

/** What the kubelet of a control plane machine says of a static pod. Talos asks it every 15 s. */
export interface StaticPodStatusSpec {
  /** Such as `Pending`, `Running`, `Succeeded` or `Failed`. */
  phase: string;
  /** Why the pod as a whole is so; empty where nothing is said. */
  reason: string;
  message: string;
  /** Whether its condition `Ready` is true. */
  ready: boolean;
  containers: ContainerStatusSpec[];
}

/** A container of a pod. */
export interface ContainerStatusSpec {
  name: string;
  ready: boolean;
  /** Since when it runs, RFC 3339 in whole seconds; undefined while it doesn't. */
  startedAt: string | undefined;
  /** Why it doesn't run yet, such as `CrashLoopBackOff` or `ErrImagePull`. */
  waiting: ContainerReason | undefined;
  /** How it ended, if it did and was not started again. */
  terminated: ContainerEnd | undefined;
  /** How it ended the last time that it was restarted. */
  lastEnd: ContainerEnd | undefined;
}

/** Why a container is as it is, in the kubelet's words. */
export interface ContainerReason {
  reason: string;
  message: string;
}

/** How a container ended. */
export interface ContainerEnd extends ContainerReason {
  exitCode: number;
}

/** What `state` and `lastState` of a container say: one of these. */
interface ContainerState {
  running: { startedAt: string } | undefined;
  waiting: ContainerReason | undefined;
  terminated: ContainerEnd | undefined;
}

/** Talos' mark of the version of what a static pod of the control plane is made of. */
const CONFIG_VERSION = "talos.dev/config-version";

const absentText = orElse(text, "");
const reasonFields = { reason: absentText, message: absentText };

const containerState = fields<ContainerState>({
  running: orElse(fields<{ startedAt: string }>({ startedAt: text }), undefined),
  waiting: orElse(fields<ContainerReason>(reasonFields), undefined),
  terminated: orElse(fields<ContainerEnd>({ ...reasonFields, exitCode: wholeNumber }), undefined),
});

const containerStatus: SpecShape<ContainerStatusSpec> = (value, path) => {
  const { state, lastState, ...rest } = fields<{
    name: string;
    ready: boolean;
    state: ContainerState | undefined;
    lastState: ContainerState | undefined;
  }>({
    name: text,
    ready: flag,
    state: orElse(containerState, undefined),
    lastState: orElse(containerState, undefined),
  })(value, path);
  return {
    ...rest,
    startedAt: state?.running?.startedAt,
    waiting: state?.waiting,
    terminated: state?.terminated,
    lastEnd: lastState?.terminated,
  };
};

const podStatus: SpecShape<StaticPodStatusSpec> = (value, path) => {
  const { conditions, ...rest } = fields<
    Omit<StaticPodStatusSpec, "ready"> & { conditions: { type: string; status: string }[] }
  >({
    phase: absentText,
    ...reasonFields,
    conditions: listOf(fields<{ type: string; status: string }>({ type: text, status: text })),
    containers: at("containerStatuses", listOf(containerStatus)),
  })(value, path);
  const ready = conditions.some(({ type, status }) => type === "Ready" && status === "True");
  return { ...rest, ready };
};

const podMetadata = fields<StaticPodSpec>({
  name: text,
  namespace: orElse(text, "default"),
  isVersioned: at(
    "annotations",
    (value) => typeof value === "object" && value !== null && CONFIG_VERSION in value,
  ),
});

/**
 * What a machine gives its kubelet to run, and what the kubelet says of it. Fields as in machinery v1.10
 * to v1.13 (`resources/k8s`) and in Kubernetes' API of pods.
 */
export const kubeletResources = {
  /** The pods that the configuration has the kubelet run; on a worker those of `machine.pods` alone. */
  staticPod: kind<StaticPodSpec>(
    "StaticPods.kubernetes.talos.dev",
    (value, path) =>
      fields<{ metadata: StaticPodSpec }>({ metadata: podMetadata })(value, path).metadata,
  ),
  /** By namespace, name and node, as in `kube-system/kube-apiserver-<node>`; none on a worker. */
  staticPodStatus: kind<StaticPodStatusSpec>("StaticPodStatuses.kubernetes.talos.dev", podStatus),
  /** What the kubelet is started with; it is started anew whenever this changes. */
  kubeletSpec: kind<{ image: string }>(
    "KubeletSpecs.kubernetes.talos.dev",
    fields({ image: text }),
  ),
};

function kind<Spec>(type: string, shape: ResourceKind<Spec>["shape"]): ResourceKind<Spec> {
  return { namespace: "k8s", type, shape };
}
