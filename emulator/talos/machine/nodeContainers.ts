import { createHash } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { pauseImageOf } from "../config/imageFacts";
import type { SystemPod } from "../kubernetes/systemPods";
import { RpcError } from "../rpc/rpcError";
import { memoryBytesOf } from "./footprint";
import type { NodeState } from "./nodeState";
import { pidOf } from "./serviceCatalog";

/** A running container on a node, or the sandbox of a pod. */
export interface NodeContainer {
  /** Its id in talosctl's form: `apid`, `kube-system/kube-proxy-x2b4c:kube-proxy:3f…`. */
  readonly id: string;
  readonly internalId: string;
  /** The pod's name with its namespace; the id for containers of Talos itself. */
  readonly podId: string;
  readonly name: string;
  readonly uid: string;
  readonly image: string;
  readonly pid: number;
  readonly status: string;
  readonly memoryBytes: number;
  readonly cpuNanoseconds: number;
  readonly startedAt: Date;
}

/** The runtime and namespace of a query. */
export interface ContainerQuery {
  readonly namespace: string;
  readonly driver: "CONTAINERD" | "CRI";
}

/**
 * Containers of Talos itself (`system`, in the first containerd) or of Kubernetes (`k8s.io`, in the
 * second one). Throws `UNKNOWN` with Talos' message for another namespace of Kubernetes.
 */
export function containersOf(node: NodeState, query: ContainerQuery): NodeContainer[] {
  const { namespace, driver } = query;
  if (driver === "CRI" && namespace !== "k8s.io") {
    throw new RpcError(status.UNKNOWN, "CRI inspector is supported only for K8s namespace");
  }
  if (namespace === "system") {
    return node.services
      .list()
      .filter(({ id, state }) => (id === "apid" || id === "trustd") && state === "Running")
      .map(({ id, events }) => ({
        id,
        internalId: id,
        podId: id,
        name: id,
        uid: "",
        image: "",
        pid: pidOf(id),
        status: "RUNNING",
        ...usage(id, events.at(-1)?.at ?? node.uptime.startedAt),
      }));
  }
  return namespace === "k8s.io"
    ? node.pods.flatMap((pod) => containersOfPod(pod, pauseImageOf(node.talosVersion)))
    : [];
}

function containersOfPod(pod: SystemPod, pauseImage: string): NodeContainer[] {
  const podId = `${pod.namespace}/${pod.name}`;
  const common = { podId, uid: pod.uid };
  const sandbox = idOf(pod.uid, "sandbox");
  const container = idOf(pod.uid, pod.container, `${pod.status.restartCount}`);
  return [
    {
      ...common,
      id: podId,
      internalId: sandbox,
      name: podId,
      image: pauseImage,
      pid: pidOf(sandbox),
      status: "SANDBOX_READY",
      memoryBytes: 0,
      cpuNanoseconds: 0,
      startedAt: pod.createdAt,
    },
    ...(pod.status.state !== undefined && "running" in pod.status.state
      ? [
          {
            ...common,
            id: `${podId}:${pod.container}:${container.slice(0, 12)}`,
            internalId: container,
            name: pod.container,
            image: pod.image,
            pid: pidOf(container),
            status: "CONTAINER_RUNNING",
            ...usage(pod.app, pod.createdAt),
          },
        ]
      : []),
  ];
}

/** Memory by the kind of program; processor time as a hundredth of its running time. */
function usage(app: string, startedAt: Date) {
  return {
    memoryBytes: memoryBytesOf(app),
    cpuNanoseconds: Math.max(0, Date.now() - startedAt.getTime()) * 1e4,
    startedAt,
  };
}

function idOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join(" ")).digest("hex");
}
