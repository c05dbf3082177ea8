import type { FirewallChoices } from "../../firewall/planFirewallRules";
import type { ClusterChoices } from "../arguments/chosenClusterArgs";

/** The arguments that decide a cluster's firewall. */
export function clusterFirewall(args: Omit<ClusterChoices, "addOns">): FirewallChoices {
  const { kubeSpanCidrs, allowWorldToKubeSpan, monitoring, extraRules } = args.firewall ?? {};
  return {
    kubeSpanCidrs,
    allowWorldToKubeSpan,
    monitoring,
    extraRules,
    operatorCidrs: args.operatorCidrs,
    talosApiThroughLoadBalancer: args.talosApiThroughLoadBalancer,
    kubernetesApiCidrs: args.kubernetesApiCidrs,
    allowWorldToKubernetesApi: args.allowWorldToKubernetesApi,
    exposure: args.exposure,
    cni: args.cni,
    kubeSpan: args.kubeSpan,
    ipv6: args.network.ipv6,
  };
}
