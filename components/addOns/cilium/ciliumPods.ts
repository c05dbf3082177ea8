import { createHash } from "node:crypto";
import type { KnownSettings } from "../common/addOn";
import { fromField } from "../common/addOnPods";
import type { AddOnScope } from "../common/addOnScope";
import { type CiliumAddOn, KUBE_PRISM_PORT, replacesKubeProxy } from "./ciliumAddOn";
import type { CiliumSettings } from "./ciliumConfig";

/** Where the container `config` writes the agent's settings to, and where the operator finds them. */
export const SETTINGS_FOLDER = "/tmp/cilium/config-map";

/** What the workloads are made of. */
export interface CiliumWorkload {
  readonly scope: AddOnScope;
  readonly addOn: KnownSettings<CiliumAddOn>;
  readonly version: string;
  readonly settings: CiliumSettings;
  readonly labels: Readonly<Record<string, string>>;
}

/** What pods in their machine's network have in common. */
export function hostPod(serviceAccountName: string) {
  return {
    serviceAccountName,
    hostNetwork: true,
    nodeSelector: { "kubernetes.io/os": "linux" },
  };
}

/** Pods of a template that has other settings are made again. */
export function checksum(settings: CiliumSettings) {
  const digest = createHash("sha256").update(JSON.stringify(settings)).digest("hex");
  return { "cilium.io/cilium-configmap-checksum": digest };
}

/** What agents and operator are told of where they are. */
export function environment(addOn: KnownSettings<CiliumAddOn>): object[] {
  return [
    fromField("K8S_NODE_NAME", "spec.nodeName"),
    fromField("CILIUM_K8S_NAMESPACE", "metadata.namespace"),
    ...kubePrism(addOn),
  ];
}

/** Without kube-proxy, no machine knows the Service of the API server before Cilium works. */
export function kubePrism(addOn: KnownSettings<CiliumAddOn>): object[] {
  return replacesKubeProxy(addOn)
    ? [
        { name: "KUBERNETES_SERVICE_HOST", value: "localhost" },
        { name: "KUBERNETES_SERVICE_PORT", value: `${KUBE_PRISM_PORT}` },
      ]
    : [];
}

/** The affinity of pods that need ports of their machine. */
export function onePerMachine(matchLabels: object): object {
  const term = { labelSelector: { matchLabels }, topologyKey: "kubernetes.io/hostname" };
  return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
}

/** A volume in a container. */
export function mounted(name: string, mountPath: string): object {
  return { name, mountPath };
}

/** A port of the machine that a container listens on. */
export function port(name: string, containerPort: number): object {
  return { name, containerPort, hostPort: containerPort, protocol: "TCP" };
}
