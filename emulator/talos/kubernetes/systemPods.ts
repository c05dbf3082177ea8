import { createHash } from "node:crypto";
import { textAt, textMapAt, valueAt } from "../config/yamlPath";
import { podStatus, type ContainerStatus } from "./containerStatus";
import { nameOf, namespaceOf, uidOf as uidOfObject } from "./kubernetesObject";
import type { KubernetesObject } from "./kubernetesObject";
import type { KubernetesStore } from "./kubernetesStore";
import { readinessOf, seconds } from "./nodeObject";
import type { NodeRecord } from "./nodeRecord";
import { builtIn } from "./objectStore";
import { appOf, nodeNameOf, podView } from "./podStore";

/** A pod on a node. */
export interface SystemPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Its first container, for example `kube-proxy` or `kube-apiserver`. */
  readonly app: string;
  /** Static pods belong to their node, not to the cluster. */
  readonly kind: "static" | "stored";
  readonly labels: Readonly<Record<string, string>>;
  readonly container: string;
  readonly image: string;
  readonly usesHostNetwork: boolean;
  readonly node: NodeRecord;
  /** The state of its container. */
  readonly status: ContainerStatus;
  /** According to its container, and to whether Kubernetes still hears from its node. */
  readonly isReady: boolean;
  readonly createdAt: Date;
}

const podKind = builtIn("pods");

/** The pods on a node: the control plane's static ones, and those stored in the API server. */
export function systemPods(store: KubernetesStore, now: Date): SystemPod[] {
  return [
    ...store.nodes.flatMap((node) => staticPods(node, now)),
    ...store.objects.list(podKind).flatMap((pod) => {
      const node = store.node(nodeNameOf(pod) ?? "");
      return node ? [storedPod(pod, node, now)] : [];
    }),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function storedPod(pod: KubernetesObject, node: NodeRecord, now: Date): SystemPod {
  const { container, isReady } = podView(pod, node, now);
  return {
    name: nameOf(pod),
    namespace: namespaceOf(pod),
    uid: uidOfObject(pod),
    app: appOf(pod),
    kind: "stored",
    labels: textMapAt(pod, "metadata", "labels"),
    container: appOf(pod),
    image: container.image,
    usesHostNetwork: valueAt(pod, "spec", "hostNetwork") === true,
    node,
    status: container,
    isReady,
    createdAt: new Date(textAt(pod, "metadata", "creationTimestamp") ?? now),
  };
}

/** Talos' labels of a static pod. */
export function staticPodLabels(app: string): Record<string, string> {
  return {
    "app.kubernetes.io/component": "control-plane",
    "app.kubernetes.io/managed-by": "Talos",
    "app.kubernetes.io/name": app,
    component: app,
    "k8s-app": app,
    tier: "control-plane",
  };
}

/** The static pods of a control plane node. */
export function staticPods(node: NodeRecord, now: Date): SystemPod[] {
  return Object.entries(node.staticPods).flatMap(([app, status]) => {
    if (!status) {
      return [];
    }
    const isReady = status.ready && readinessOf(node, now).status !== "Unknown";
    const pod: SystemPod = {
      app,
      uid: uidOf(status.podUid, node.uid),
      name: `${app}-${node.name}`,
      namespace: "kube-system",
      kind: "static",
      labels: staticPodLabels(app),
      container: app,
      image: status.image,
      usesHostNetwork: true,
      node,
      status,
      isReady,
      createdAt: new Date(status.podStartedAt),
    };
    return [pod];
  });
}

/** The mirror pod of a static pod, as an API object. */
export function mirrorPod(pod: SystemPod): KubernetesObject {
  const { node, name, namespace, uid, isReady, createdAt, status } = pod;
  const started = seconds(createdAt);
  const place = { hostIP: node.internalAddress, podIP: node.internalAddress };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: `${node.resourceVersion}`,
      creationTimestamp: started,
      labels: { ...pod.labels },
      annotations: {
        "kubernetes.io/config.hash": status.podUid,
        "kubernetes.io/config.mirror": status.podUid,
        "kubernetes.io/config.seen": started,
        "kubernetes.io/config.source": "http",
        ...status.annotations,
      },
      ownerReferences: [
        { apiVersion: "v1", kind: "Node", name: node.name, uid: node.uid, controller: true },
      ],
    },
    spec: {
      nodeName: node.name,
      hostNetwork: true,
      priorityClassName: "system-node-critical",
      containers: [{ name: pod.container, image: pod.image }],
    },
    status: podStatus(pod.container, { ...status, ready: isReady }, place),
  };
}

function uidOf(...parts: readonly string[]): string {
  const hex = createHash("sha256").update(parts.join(" ")).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
