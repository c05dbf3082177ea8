import { kernelVersion } from "../machine/kernelStart";
import type { NodeRecord } from "./nodeRecord";

/** containerd of Talos v1.12.1 (release notes). */
const CONTAINER_RUNTIME_VERSION = "containerd://2.1.6";

/** The readiness of a node at a moment. */
export interface Readiness {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  readonly changedAt: Date;
}

/**
 * The `Ready` condition. A node whose kubelet is lost for longer than its grace time is `Unknown`,
 * as the node lifecycle controller sets it.
 */
export function readinessOf(node: NodeRecord, now: Date): Readiness {
  if (node.lostAt && now.getTime() - node.lostAt.getTime() >= node.graceMs) {
    return {
      status: "Unknown",
      reason: "NodeStatusUnknown",
      message: "Kubelet stopped posting node status.",
      changedAt: new Date(node.lostAt.getTime() + node.graceMs),
    };
  }
  return node.isReady
    ? {
        status: "True",
        reason: "KubeletReady",
        message: "kubelet is posting ready status",
        changedAt: node.readyChangedAt,
      }
    : {
        status: "False",
        reason: "KubeletNotReady",
        message:
          "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
        changedAt: node.readyChangedAt,
      };
}

/**
 * The node as an API object. Addresses, provider id and topology labels are those of a cluster with
 * the AWS cloud controller manager.
 */
export function nodeObject(node: NodeRecord, now: Date) {
  return {
    kind: "Node",
    apiVersion: "v1",
    metadata: {
      name: node.name,
      uid: node.uid,
      resourceVersion: `${node.resourceVersion}`,
      creationTimestamp: seconds(node.createdAt),
      labels: { ...reportedLabels(node), ...node.labels },
      annotations: { ...node.annotations },
    },
    spec: {
      ...(node.podCidrs.length > 0 && { podCIDR: node.podCidrs[0], podCIDRs: [...node.podCidrs] }),
      providerID: `aws:///${node.zone}/${node.instanceId}`,
      ...(taintsOf(node).length > 0 ? { taints: taintsOf(node) } : {}),
      ...(node.isCordoned ? { unschedulable: true } : {}),
    },
    status: {
      conditions: conditionsOf(node, now),
      addresses: [
        { type: "InternalIP", address: node.internalAddress },
        ...(node.externalAddress === undefined
          ? []
          : [{ type: "ExternalIP", address: node.externalAddress }]),
        { type: "Hostname", address: node.name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: node.machineId,
        systemUUID: node.machineId,
        bootID: node.bootId,
        kernelVersion,
        osImage: `Talos (${node.talosVersion})`,
        containerRuntimeVersion: CONTAINER_RUNTIME_VERSION,
        kubeletVersion: node.kubeletVersion,
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: node.architecture,
      },
    },
  };
}

/** Labels of a node that its kubelet doesn't report. */
export function ownLabels(
  node: NodeRecord,
  labels: Readonly<Record<string, string>>,
): Record<string, string> {
  const reported: Readonly<Record<string, string>> = reportedLabels(node);
  return Object.fromEntries(
    Object.entries(labels).filter(([key, value]) => reported[key] !== value),
  );
}

function reportedLabels(node: NodeRecord) {
  return {
    "beta.kubernetes.io/arch": node.architecture,
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": node.architecture,
    "kubernetes.io/hostname": node.name,
    "kubernetes.io/os": "linux",
    "node.kubernetes.io/instance-type": node.instanceType,
    "topology.kubernetes.io/region": node.region,
    "topology.kubernetes.io/zone": node.zone,
  };
}

/** Cells of `kubectl get nodes -o wide`, in the order of `nodeColumns`. */
export function nodeCells(node: NodeRecord, now: Date): string[] {
  const { status } = readinessOf(node, now);
  return [
    node.name,
    `${status === "True" ? "Ready" : "NotReady"}${node.isCordoned ? ",SchedulingDisabled" : ""}`,
    node.isControlPlane ? "control-plane" : "<none>",
    ageOf(node.createdAt, now),
    node.kubeletVersion,
    node.internalAddress,
    node.externalAddress ?? "<none>",
    `Talos (${node.talosVersion})`,
    kernelVersion,
    CONTAINER_RUNTIME_VERSION,
  ];
}

/** Columns of the table of nodes; those of priority 1 are only shown with `-o wide`. */
export const nodeColumns = [
  ["Name", 0],
  ["Status", 0],
  ["Roles", 0],
  ["Age", 0],
  ["Version", 0],
  ["Internal-IP", 1],
  ["External-IP", 1],
  ["OS-Image", 1],
  ["Kernel-Version", 1],
  ["Container-Runtime", 1],
] as const;

/** A time in Kubernetes' form, to the second. */
export function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}

/** The taints of a node, with Kubernetes' taint for a cordoned one. */
function taintsOf({ taints, isCordoned }: NodeRecord) {
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  return [...taints, ...(isCordoned ? [cordon] : [])].map((taint) => ({ ...taint }));
}

function conditionsOf(node: NodeRecord, now: Date) {
  const ready = readinessOf(node, now);
  const heartbeat = seconds(node.lostAt ?? now);
  const unknown = ready.status === "Unknown";
  const pressure = (type: string, reason: string, message: string) => ({
    type,
    status: unknown ? "Unknown" : "False",
    lastHeartbeatTime: heartbeat,
    lastTransitionTime: seconds(unknown ? ready.changedAt : node.createdAt),
    reason: unknown ? ready.reason : reason,
    message: unknown ? ready.message : message,
  });
  return [
    pressure(
      "MemoryPressure",
      "KubeletHasSufficientMemory",
      "kubelet has sufficient memory available",
    ),
    pressure("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    pressure("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    {
      type: "Ready",
      status: ready.status,
      lastHeartbeatTime: heartbeat,
      lastTransitionTime: seconds(ready.changedAt),
      reason: ready.reason,
      message: ready.message,
    },
  ];
}

/** An age in kubectl's short form: `42s`, `5m3s`, `2h`, `3d4h`. */
export function ageOf(since: Date, now: Date): string {
  const age = Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1000));
  const minutes = Math.floor(age / 60);
  const hours = Math.floor(age / 3600);
  const days = Math.floor(hours / 24);
  const both = (large: number, unit: string, small: number, smallUnit: string) =>
    small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smallUnit}`;
  // apimachinery's HumanDuration shows the smaller unit only for small values of the larger one.
  if (age < 120) {
    return `${age}s`;
  }
  if (minutes < 10) {
    return both(minutes, "m", age % 60, "s");
  }
  if (hours < 3) {
    return `${minutes}m`;
  }
  if (hours < 8) {
    return both(hours, "h", minutes % 60, "m");
  }
  if (hours < 48) {
    return `${hours}h`;
  }
  if (days < 8) {
    return both(days, "d", hours % 24, "h");
  }
  return `${days}d`;
}
