import { inputProblems } from "../configError";
import type { Generator } from "./generator";
import { configDocument, mapping } from "./mapping";

/** How machines find each other, and whether they encrypt their traffic. */
export interface ClusterDiscoveryOptions {
  /**
   * Whether machines find each other through the discovery service at https://discovery.talos.dev.
   * It receives only encrypted data. Default: true.
   */
  readonly discovery?: boolean | undefined;
  /**
   * URL of a discovery service of yours, without a path, instead of https://discovery.talos.dev.
   * Default: Sidero Labs' own.
   */
  readonly discoveryEndpoint?: string | undefined;
  /** Whether WireGuard encrypts the machines' traffic. Needs `discovery`. Default: false. */
  readonly kubeSpan?: boolean | undefined;
}

/** Sidero Labs' own service. Source: pkg/machinery/constants, Talos v1.14.1. */
const DEFAULT_ENDPOINT = "https://discovery.talos.dev/";

/**
 * Discovery of the cluster's machines, and the encrypted network that needs it: `cluster.discovery`,
 * or `DiscoveryServiceConfig` and `DiscoveryIdentityConfig`; KubeSpan in `machine.network`, or
 * `KubeSpanConfig`. The identity is there without discovery too, as in Talos.
 */
export const clusterDiscovery: Generator<ClusterDiscoveryOptions> = {
  check({ discovery, discoveryEndpoint, kubeSpan }) {
    return [
      ...inputProblems(
        ["kubeSpan"],
        kubeSpan === true && discovery === false
          ? "needs discovery to find its peers: turn discovery on, or kubeSpan off"
          : undefined,
      ),
      ...inputProblems(["discoveryEndpoint"], endpointProblem(discoveryEndpoint, discovery)),
    ];
  },

  generate(
    { discovery = true, discoveryEndpoint: endpoint, kubeSpan = false, secretsBundle },
    { kubeSpanDocument, noKubernetesDiscovery, systemDocuments },
  ) {
    const kubeSpanConfig = kubeSpan ? [configDocument("KubeSpanConfig", { enabled: true })] : [];
    if (systemDocuments) {
      const { id: clusterID, secret: clusterSecret } = secretsBundle.cluster;
      const service = { name: "default", endpoint: endpoint ?? DEFAULT_ENDPOINT };
      return {
        documents: [
          ...(discovery ? [configDocument("DiscoveryServiceConfig", service)] : []),
          configDocument("DiscoveryIdentityConfig", { clusterID, clusterSecret }),
          ...kubeSpanConfig,
        ],
      };
    }
    const registries = {
      ...(noKubernetesDiscovery && { kubernetes: { disabled: true } }),
      ...(endpoint !== undefined && { service: { endpoint } }),
    };
    const cluster = mapping({ discovery: { enabled: discovery, registries } });
    if (!kubeSpan) {
      return { config: { cluster } };
    }
    return kubeSpanDocument
      ? { config: { cluster }, documents: kubeSpanConfig }
      : { config: { cluster, machine: { network: { kubespan: { enabled: true } } } } };
  },
};

function endpointProblem(
  endpoint: string | undefined,
  discovery: boolean | undefined,
): string | undefined {
  if (endpoint === undefined) {
    return undefined;
  }
  if (discovery === false) {
    return "has no effect without discovery: turn discovery on, or leave it out";
  }
  return /^https?:\/\/[^/?#@]+\/?$/.test(endpoint) && URL.canParse(endpoint)
    ? undefined
    : `${JSON.stringify(endpoint)} is not the URL of a discovery service: write it without a path, like "https://discovery.example.com"`;
}
