import { podStatus } from "./containerStatus";
import { ageOf, seconds } from "./nodeObject";
import type { SystemPod } from "./systemPods";

/** A pod as an object of the Kubernetes API. */
export function podObject(pod: SystemPod) {
  const { node, name, uid, isReady, createdAt } = pod;
  const started = seconds(createdAt);
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name,
      namespace: "kube-system",
      uid,
      resourceVersion: `${node.resourceVersion}`,
      creationTimestamp: started,
      labels: { ...pod.labels },
      ...(pod.kind === "static"
        ? {
            annotations: {
              "kubernetes.io/config.hash": pod.status.podUid,
              "kubernetes.io/config.mirror": pod.status.podUid,
              "kubernetes.io/config.seen": started,
              "kubernetes.io/config.source": "http",
              ...pod.status.annotations,
            },
          }
        : {}),
      ownerReferences: [ownerOf(pod)],
    },
    spec: {
      nodeName: node.name,
      hostNetwork: pod.usesHostNetwork,
      priorityClassName:
        pod.kind === "replica" ? "system-cluster-critical" : "system-node-critical",
      containers: [{ name: pod.container, image: pod.image }],
    },
    status: podStatus(
      pod.container,
      { ...pod.status, ready: isReady },
      { hostIP: node.internalAddress, podIP: addressOf(pod) },
    ),
  };
}

/** Columns of `kubectl get pods`. */
export const podColumns = [
  ["Name", 0],
  ["Ready", 0],
  ["Status", 0],
  ["Restarts", 0],
  ["Age", 0],
  ["IP", 1],
  ["Node", 1],
] as const;

/** Cells in the order of `podColumns`. */
export function podCells(pod: SystemPod, now: Date): string[] {
  return [
    pod.name,
    pod.isReady ? "1/1" : "0/1",
    stateOf(pod),
    `${pod.status.restartCount}`,
    ageOf(pod.createdAt, now),
    addressOf(pod),
    pod.node.name,
  ];
}

function stateOf({ status: { state } }: SystemPod): string {
  if (state === undefined) return "Pending";
  if ("waiting" in state) return state.waiting.reason;
  return "terminated" in state ? state.terminated.reason : "Running";
}

function ownerOf({ kind, app, name, node }: SystemPod) {
  switch (kind) {
    case "static":
      return { apiVersion: "v1", kind: "Node", name: node.name, uid: node.uid, controller: true };
    case "daemon":
      return { apiVersion: "apps/v1", kind: "DaemonSet", name: app, uid: app, controller: true };
    case "replica":
      return {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: name.slice(0, name.lastIndexOf("-")),
        uid: app,
        controller: true,
      };
  }
}

/** On the host's network the node's address, else one of the node's range. */
function addressOf({ usesHostNetwork, node }: SystemPod): string {
  return usesHostNetwork ? node.internalAddress : node.podCidr.replace(/0\/\d+$/, "2");
}
