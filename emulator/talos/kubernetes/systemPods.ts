import { createHash } from "node:crypto";
import type { ContainerStatus } from "./containerStatus";
import { readinessOf, seconds } from "./nodeObject";
import type { KubernetesStore, NodeRecord } from "./kubernetesStore";

/** What Talos installs into a cluster it bootstraps, by image; `undefined` for what is switched off. */
export interface ClusterAddons {
  readonly proxy: string | undefined;
  readonly flannel: string | undefined;
  readonly coreDns: string | undefined;
}

/** A pod of the namespace `kube-system`. */
export interface SystemPod {
  readonly name: string;
  readonly uid: string;
  /** `kube-proxy`, `kube-apiserver` … */
  readonly app: string;
  /** Static ones are of their node, not of the cluster. */
  readonly kind: "static" | "daemon" | "replica";
  readonly labels: Readonly<Record<string, string>>;
  readonly container: string;
  readonly image: string;
  readonly usesHostNetwork: boolean;
  readonly node: NodeRecord;
  /** What its container is doing. */
  readonly status: ContainerStatus;
  /** By its container, and by whether Kubernetes still hears of its node. */
  readonly isReady: boolean;
  readonly createdAt: Date;
}

/** How many of coredns there are (talos v1.12.1, `coreDNSTemplate`). */
export const coreDnsReplicas = 2;

/** Pods of a cluster: the control plane's static ones, and what Talos installs by its manifests. */
export function systemPods(store: KubernetesStore, now: Date): SystemPod[] {
  const { nodes, addons } = store;
  const daemon = (app: string, container: string, image: string | undefined): SystemPod[] =>
    image === undefined
      ? []
      : nodes.map((node) => {
          const uid = uidOf(app, node.uid);
          return pod(node, now, {
            app,
            uid,
            name: `${app}-${suffixOf(uid)}`,
            kind: "daemon",
            labels: { "k8s-app": app === "kube-flannel" ? "flannel" : app, tier: "node" },
            container,
            image,
            usesHostNetwork: true,
          });
        });
  return [
    ...nodes.flatMap((node) => staticPods(node, now)),
    ...daemon("kube-proxy", "kube-proxy", addons?.proxy),
    ...daemon("kube-flannel", "kube-flannel", addons?.flannel),
    ...coreDnsPods(store, now),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What Talos labels a static pod with. */
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

/** The pods that machined has the kubelet of a control plane node run. */
export function staticPods(node: NodeRecord, now: Date): SystemPod[] {
  return Object.entries(node.staticPods).flatMap(([app, status]) => {
    if (!status) return [];
    const isReady = status.ready && readinessOf(node, now).status !== "Unknown";
    const pod: SystemPod = {
      app,
      uid: uidOf(status.podUid, node.uid),
      name: `${app}-${node.name}`,
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

function coreDnsPods(store: KubernetesStore, now: Date): SystemPod[] {
  const image = store.addons?.coreDns;
  const able = store.nodes.filter((node) => readinessOf(node, now).status === "True");
  const [first] = able;
  if (image === undefined || !first) return [];
  return Array.from({ length: coreDnsReplicas }, (_, index) => {
    const uid = uidOf(`coredns-${index}`, first.uid);
    return pod(able[index % able.length] ?? first, now, {
      app: "coredns",
      uid,
      name: `coredns-${replicaSetHash(image)}-${suffixOf(uid)}`,
      kind: "replica",
      labels: { "k8s-app": "kube-dns", "pod-template-hash": replicaSetHash(image) },
      container: "coredns",
      image,
      usesHostNetwork: false,
    });
  });
}

/** Names the generation of a deployment's pods. */
export function replicaSetHash(image: string): string {
  return createHash("sha256").update(image).digest("hex").slice(0, 10);
}

function pod(
  node: NodeRecord,
  now: Date,
  rest: Omit<SystemPod, "node" | "status" | "isReady" | "createdAt">,
): SystemPod {
  const isReady = readinessOf(node, now).status === "True";
  const createdAt = seconds(node.createdAt);
  const status: ContainerStatus = {
    image: rest.image,
    podUid: rest.uid,
    podStartedAt: createdAt,
    annotations: {},
    state: isReady
      ? { running: { startedAt: createdAt } }
      : { waiting: { reason: "ContainerCreating" } },
    restartCount: 0,
    started: isReady,
    ready: isReady,
    readyChangedAt: seconds(node.readyChangedAt),
  };
  return { ...rest, node, status, isReady, createdAt: node.createdAt };
}

function uidOf(...parts: readonly string[]): string {
  const hex = createHash("sha256").update(parts.join(" ")).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** Five characters as Kubernetes adds them to names. */
function suffixOf(uid: string): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  const bytes = Buffer.from(uid.replaceAll("-", ""), "hex").subarray(0, 5);
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length] ?? "").join("");
}
