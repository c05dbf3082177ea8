import { at, fields, flag, listOf, orElse, type SpecShape, text, wholeNumber } from "./specShape";
import type { ResourceKind } from "./typedResource";

/** A static pod in a machine's configuration, as Talos renders it. */
export interface StaticPodSpec {
  name: string;
  namespace: string;
  /** The image of its first container; empty without one. */
  image: string;
  /**
   * The versions of its sources, which Talos writes into pods of the control plane. With them, the
   * kubelet sees each change as another pod. Undefined for other pods.
   */
  versions: StaticPodVersions | undefined;
}

/** The versions of a control plane pod's sources at the time when Talos rendered it. */
export interface StaticPodVersions {
  /** Of the component's configuration resource. */
  config: string;
  /** Of the secrets that Talos has written for it. */
  secrets: string;
  /** Of the files that Talos has written for it; undefined for a component without such files. */
  files: string | undefined;
}

/** Which of the machine's addresses the kubelet may have. */
export interface NodeIpConfigSpec {
  /** Ranges and addresses, of which a later one counts more; with a `!` before it, one to leave out. */
  validSubnets: string[];
  /** Ranges and addresses to leave out, such as those of pods and services. */
  excludeSubnets: string[];
}

/**
 * The status of a static pod, as the kubelet of a control plane machine reports it. Talos asks
 * every 15 s.
 */
export interface StaticPodStatusSpec {
  /** For example `Pending`, `Running`, `Succeeded` or `Failed`. */
  phase: string;
  /** The reason for the pod's phase; empty without one. */
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
  /** When it started to run, RFC 3339 in whole seconds; undefined while it isn't running. */
  startedAt: string | undefined;
  /** Why it isn't running yet, for example `CrashLoopBackOff` or `ErrImagePull`. */
  waiting: ContainerReason | undefined;
  /** How it ended, if it was not restarted. */
  terminated: ContainerEnd | undefined;
  /** How it ended before its last restart. */
  lastEnd: ContainerEnd | undefined;
}

/** The kubelet's reason for a container's state. */
export interface ContainerReason {
  reason: string;
  message: string;
}

/** How a container ended. */
export interface ContainerEnd extends ContainerReason {
  exitCode: number;
  /** Its id at the container runtime, for example `containerd://3f…`; empty if it isn't known. */
  containerId: string;
}

/** A container's `state` or `lastState`: one of these. */
interface ContainerState {
  running: { startedAt: string } | undefined;
  waiting: ContainerReason | undefined;
  terminated: ContainerEnd | undefined;
}

const absentText = orElse(text, "");
const reasonFields = { reason: absentText, message: absentText };

const containerState = fields<ContainerState>({
  running: orElse(fields<{ startedAt: string }>({ startedAt: text }), undefined),
  waiting: orElse(fields<ContainerReason>(reasonFields), undefined),
  terminated: orElse(
    fields<ContainerEnd>({
      ...reasonFields,
      exitCode: wholeNumber,
      containerId: at("containerID", absentText),
    }),
    undefined,
  ),
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

const podVersions = fields<Record<keyof StaticPodVersions, string | undefined>>({
  config: at("talos.dev/config-version", orElse(text, undefined)),
  secrets: at("talos.dev/secrets-version", absentText),
  files: at("talos.dev/config-file-version", orElse(text, undefined)),
});

const pod: SpecShape<StaticPodSpec> = (value, path) => {
  const { metadata, spec } = fields<{
    metadata: { name: string; namespace: string; annotations: ReturnType<typeof podVersions> };
    spec: { containers: { image: string }[] };
  }>({
    metadata: fields({
      name: text,
      namespace: orElse(text, "default"),
      annotations: (found, place) => podVersions(found ?? {}, place),
    }),
    spec: fields({ containers: listOf(fields({ image: absentText })) }),
  })(value, path);
  const { annotations, ...names } = metadata;
  const { config, secrets = "", files } = annotations;
  return {
    ...names,
    image: spec.containers[0]?.image ?? "",
    versions: config === undefined ? undefined : { config, secrets, files },
  };
};

/**
 * The pods that a machine gives its kubelet, and the kubelet's reports about them. Fields as in
 * machinery v1.10 to v1.13 (`resources/k8s`) and in Kubernetes' API of pods.
 */
export const kubeletResources = {
  /** The static pods of the configuration; on a worker only those of `machine.pods`. */
  staticPod: kind<StaticPodSpec>("StaticPods.kubernetes.talos.dev", pod),
  /**
   * By namespace, name and node, for example `kube-system/kube-apiserver-<node>`; none on a worker.
   */
  staticPodStatus: kind<StaticPodStatusSpec>("StaticPodStatuses.kubernetes.talos.dev", podStatus),
  /** The kubelet's part of the configuration, from which Talos derives its start parameters. */
  kubeletConfig: kind<{ image: string }>(
    "KubeletConfigs.kubernetes.talos.dev",
    fields({ image: text }),
  ),
  /** What the kubelet's addresses are chosen by. */
  nodeIpConfig: kind<NodeIpConfigSpec>(
    "NodeIPConfigs.kubernetes.talos.dev",
    fields({
      validSubnets: orElse(listOf(text), []),
      excludeSubnets: orElse(listOf(text), []),
    }),
  ),
  /** The addresses that the kubelet has. */
  nodeIp: kind<{ addresses: string[] }>(
    "NodeIPs.kubernetes.talos.dev",
    fields({ addresses: listOf(text) }),
  ),
  /** The start parameters of the kubelet. It is restarted whenever they change. */
  kubeletSpec: kind<{ image: string }>(
    "KubeletSpecs.kubernetes.talos.dev",
    fields({ image: text }),
  ),
};

function kind<Spec>(type: string, shape: ResourceKind<Spec>["shape"]): ResourceKind<Spec> {
  return { namespace: "k8s", type, shape };
}
