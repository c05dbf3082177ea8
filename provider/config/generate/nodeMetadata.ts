import { inputProblems } from "../configError";
import { checkNodeMetadata, checkWorkerLabel, parseTaint } from "../rules/nodeMetadata";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** What describes the Kubernetes node. */
export interface NodeMetadataOptions {
  /**
   * Labels of the Kubernetes node, for example `{team: storage}`. On workers, of Kubernetes' own labels
   * only those that a kubelet may set. Default: only the label that keeps load balancers off control plane machines.
   */
  readonly nodeLabels?: Readonly<Record<string, string>> | undefined;
  /** Annotations of the Kubernetes node, for example `{team: storage}`. Default: none. */
  readonly nodeAnnotations?: Readonly<Record<string, string>> | undefined;
  /**
   * Taints of the Kubernetes node by key, `<value>:<effect>` or `<effect>`, for example
   * `{dedicated: "storage:NoSchedule"}`. A worker gets them when it registers. A later change does not reach it, which previews warn about: use `kubectl taint
   * node`. Default: only that of control plane machines.
   */
  readonly nodeTaints?: Readonly<Record<string, string>> | undefined;
}

/**
 * Labels, annotations and taints of the Kubernetes node: `KubeNodeConfig`, or `machine.nodeLabels` and
 * its neighbours in older contracts. A control plane machine writes them as an
 * administrator. A worker uses its kubelet's credentials, and Kubernetes' NodeRestriction forbids
 * those to change taints. So a worker gets its taints when it registers.
 *
 * Source: "Node Labels and Node Taints", Talos documentation; controllers/k8s/node_apply.go, Talos
 * v1.12.1.
 */
export const nodeMetadata: Generator<NodeMetadataOptions> = {
  check: (options) => [
    ...(["nodeLabels", "nodeAnnotations", "nodeTaints"] as const).flatMap((section) =>
      Object.entries(options[section] ?? {}).flatMap(([key, value]) =>
        checkNodeMetadata(section, key, value).flatMap((reason) =>
          inputProblems([section, key], reason),
        ),
      ),
    ),
    ...Object.keys(options.machineType === "worker" ? (options.nodeLabels ?? {}) : {}).flatMap(
      (key) => inputProblems(["nodeLabels", key], checkWorkerLabel(key)),
    ),
  ],

  generate(input, { controlPlaneOffLoadBalancers, kubernetesDocuments }) {
    const { nodeLabels, nodeAnnotations, nodeTaints } = input;
    if (input.machineType === "worker") {
      const registerWithTaints = initialTaints(input);
      if (kubernetesDocuments) {
        const node = { labels: nodeLabels, annotations: nodeAnnotations };
        return {
          documents: [
            configDocument("KubeNodeConfig", node),
            configDocument("KubeletConfig", { config: { registerWithTaints } }),
          ],
        };
      }
      const kubelet =
        registerWithTaints === undefined ? {} : { extraConfig: { registerWithTaints } };
      return { config: mapping({ machine: { nodeLabels, nodeAnnotations, kubelet } }) };
    }
    const labels = controlPlaneOffLoadBalancers
      ? { [EXCLUDED_FROM_LOAD_BALANCERS]: "", ...nodeLabels }
      : nodeLabels;
    return kubernetesDocuments
      ? {
          documents: [
            configDocument("KubeNodeConfig", {
              // Talos adds it to a node's labels only where they are in `v1alpha1`.
              labels: { ...labels, [CONTROL_PLANE_ROLE]: "" },
              annotations: nodeAnnotations,
              taints: nodeTaints,
            }),
          ],
        }
      : { config: mapping({ machine: { nodeLabels: labels, nodeAnnotations, nodeTaints } }) };
  },
};

/** The label and the taint of control plane machines. */
export const CONTROL_PLANE_ROLE = "node-role.kubernetes.io/control-plane";

/** The label that keeps a machine out of load balancers that Kubernetes creates. */
const EXCLUDED_FROM_LOAD_BALANCERS = "node.kubernetes.io/exclude-from-external-load-balancers";

/** The taints that a kubelet registers its node with; undefined for none. */
function initialTaints({ nodeTaints = {} }: NodeMetadataOptions) {
  const taints = Object.entries(nodeTaints)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, taint]) => {
      const { value, effect } = parseTaint(taint);
      return { key, value: value === "" ? undefined : value, effect };
    });
  return taints.length === 0 ? undefined : taints;
}

/** Where workloads run. */
export interface SchedulingOptions {
  /** Whether workloads also run on control plane machines. Default: false. */
  readonly allowSchedulingOnControlPlanes?: boolean | undefined;
}

/**
 * Whether workloads also run on control plane machines: their taint in `KubeNodeConfig`, or
 * `cluster.allowSchedulingOnControlPlanes` in older contracts.
 */
export const scheduling: Generator<SchedulingOptions> = {
  generate(
    { machineType, allowSchedulingOnControlPlanes: wanted = false },
    { kubernetesDocuments, schedulingOnControlPlanes },
  ) {
    if (machineType === "worker") {
      return {};
    }
    if (kubernetesDocuments) {
      const taints = { [CONTROL_PLANE_ROLE]: "NoSchedule" };
      return wanted ? {} : { documents: [configDocument("KubeNodeConfig", { taints })] };
    }
    if (!wanted) {
      return {};
    }
    return schedulingOnControlPlanes
      ? { config: { cluster: { allowSchedulingOnControlPlanes: true } } }
      : { config: { cluster: { allowSchedulingOnMasters: true } } };
  },
};
