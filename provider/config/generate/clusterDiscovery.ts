import { inputProblems } from "../configError";
import type { Generator } from "./generator";
import { configDocument } from "./mapping";

/**
 * Discovery of the cluster's machines, and the encrypted network that needs it:
 * `cluster.discovery`, and KubeSpan in `machine.network` or `KubeSpanConfig`.
 */
export const clusterDiscovery: Generator = {
  check({ discovery, kubeSpan }) {
    return inputProblems(
      ["kubeSpan"],
      kubeSpan === true && discovery === false
        ? "needs discovery to find its peers: turn discovery on, or kubeSpan off"
        : undefined,
    );
  },

  generate({ discovery = true, kubeSpan = false }, { kubeSpanDocument, noKubernetesDiscovery }) {
    const registries = noKubernetesDiscovery ? { kubernetes: { disabled: true } } : {};
    const cluster = { discovery: { enabled: discovery, registries } };
    if (!kubeSpan) {
      return { config: { cluster } };
    }
    return kubeSpanDocument
      ? { config: { cluster }, documents: [configDocument("KubeSpanConfig", { enabled: true })] }
      : { config: { cluster, machine: { network: { kubespan: { enabled: true } } } } };
  },
};
