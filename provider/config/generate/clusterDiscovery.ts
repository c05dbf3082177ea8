import { inputProblems } from "../inputProblem";
import type { Generator } from "./generator";
import { configDocument } from "./mapping";

/**
 * How the machines of a cluster find each other, and the encrypted network between them that needs
 * it: `cluster.discovery`, and KubeSpan in `machine.network` or `KubeSpanConfig`.
 */
export const clusterDiscovery: Generator = {
  check({ discovery, kubeSpan }) {
    return inputProblems(
      ["kubeSpan"],
      kubeSpan === true && discovery === false
        ? "needs discovery, by which its peers find each other: leave discovery on, or kubeSpan off"
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
