import type { Json, JsonObject, KubernetesObject } from "./kubernetesObject";

/** The namespace of Talos' own add-ons. */
export const NAMESPACE = "kube-system";

/** A DaemonSet with the labels of its pods. */
export function daemonSet(
  name: string,
  labels: Readonly<Record<string, string>>,
  { podSpec, ...rest }: { readonly podSpec: JsonObject; readonly updateStrategy?: Json },
): KubernetesObject {
  const selected = { ...labels };
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { labels: selected, name, namespace: NAMESPACE },
    spec: {
      selector: { matchLabels: selected },
      template: { metadata: { labels: selected }, spec: podSpec },
      ...rest,
    },
  };
}

/**
 * The nodes that Talos' add-ons may run on, as a part of a pod's specification; empty before v1.14.
 * Source: `k8stemplates/affinity.go`, v1.14.1.
 */
export function nodeAffinity(talosMinor: number): JsonObject {
  const matchExpressions = [
    { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
    { key: "kubernetes.io/arch", operator: "In", values: ["amd64", "arm64"] },
  ];
  const required = { nodeSelectorTerms: [{ matchExpressions }] };
  return talosMinor < 14
    ? {}
    : {
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
      };
}

/** An environment variable with the value of a pod's field. */
export function fieldOf(name: string, fieldPath: string): JsonObject {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}

/** A service account. */
export function serviceAccount(name: string): KubernetesObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: NAMESPACE } };
}

/** A service account as the subject of a binding. */
export function account(name: string): JsonObject {
  return { kind: "ServiceAccount", name, namespace: NAMESPACE };
}
