import type { AddOnManifest } from "../common/addOnManifest";
import type { ReplicatedAddOnPods } from "../common/addOnPodsArgs";

/** The argument of Cilium. */
export interface CiliumChoice {
  /**
   * Cilium as the pod network, in place of `cni` and `cniManifests`. With `true`, this package's own objects:
   * VXLAN between machines, addresses from `podCidrs`, network policies, and no kube-proxy.
   *
   * Choose it at a cluster's birth. A running cluster that takes it, or leaves it out, changes its pod network:
   * pods keep the old one until they are made again, and can't reach new ones meanwhile. So that is refused
   * unless `acceptedChanges` has `cni`. Default: none.
   */
  readonly cilium?: boolean | CiliumAddOn;
}

/**
 * Cilium, by this package's own objects or by a manifest of yours. An agent on each machine programs its
 * kernel with eBPF, as root with many capabilities; an operator on control plane machines takes care of what
 * the cluster shares.
 *
 * `extraArgs` are further settings of Cilium, by their names in its ConfigMap `cilium-config`, for the agents
 * and the operator: `{"enable-bandwidth-manager": "true"}`. A changed setting restarts the agents, machine by
 * machine. Connections go on meanwhile, but for those that Cilium's proxy carries. `replicas` is the number
 * of operators, and `resources` are those of an agent.
 */
export interface CiliumAddOn extends AddOnManifest, ReplicatedAddOnPods {
  /**
   * The release, of the minor that this package's objects are written for: `v1.20.3`. A later release of this
   * package may take the next minor. Cilium supports updates by one minor at a time, so don't skip releases of this package that
   * change the minor. Default: a release of the minor.
   */
  readonly version?: string;
  /**
   * Cilium replaces kube-proxy, so Talos doesn't install it. A manifest of yours must then be rendered with
   * `kubeProxyReplacement=true`, `k8sServiceHost=localhost` and `k8sServicePort=7445`: KubePrism,
   * which forwards to the API servers on every machine. In a running cluster, restart each machine after a
   * change, because rules of the other one stay in its kernel. Default: true; false with a manifest of yours.
   */
  readonly kubeProxyReplacement?: boolean;
  /**
   * Encrypts traffic between pods on different machines with WireGuard, and opens its port between machines,
   * UDP 51871. It costs processor time. Traffic of pods in their machine's network stays as it is. Excludes `kubeSpan`, which
   * encrypts all traffic between machines. Default: false.
   */
  readonly wireGuard?: boolean;
  /**
   * Keeps the last flows that each agent saw, for `hubble observe` in the agent's pod. They are in memory, and
   * on no port: there is neither Hubble Relay nor its UI, which need certificates of their own. Default: false.
   */
  readonly hubble?: boolean;
  /**
   * Serves metrics of the agents, the operator, the proxy and with `hubble` of flows, in clear, and opens
   * their ports between machines, 9962 to 9965. Default: false.
   */
  readonly metrics?: boolean;
  /**
   * Serves Kubernetes' Gateway API: control planes fetch its definitions from GitHub, and Cilium the class
   * `cilium`. Each Gateway gets a Service of type LoadBalancer, which costs a load balancer. The operator
   * may then read every Secret of the cluster, to find certificates of Gateways. Needs
   * `kubeProxyReplacement`. If it is left out again, the definitions and all Gateways stay, and nothing
   * serves them. Default: false.
   */
  readonly gatewayApi?: boolean;
}

/** The settings that only this package's own objects follow. */
export const OWN_SETTINGS = ["wireGuard", "hubble", "metrics", "gatewayApi"] as const;

/** What Cilium calls the API server by when it replaces kube-proxy. */
export const KUBE_PRISM_PORT = 7445;

/** Whether Cilium takes the place of kube-proxy. */
export function replacesKubeProxy(
  addOn: Pick<CiliumAddOn, "kubeProxyReplacement"> & {
    readonly [Key in keyof AddOnManifest]?: unknown;
  },
): boolean {
  const { kubeProxyReplacement, manifest, manifestUrls } = addOn;
  return kubeProxyReplacement ?? (manifest === undefined && manifestUrls === undefined);
}
