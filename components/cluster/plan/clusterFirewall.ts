import type { FirewallChoices } from "../../firewall/planFirewallRules";
import type { ClusterChoices } from "../arguments/chosenClusterArgs";

/** The arguments that decide a cluster's firewall. */
export function clusterFirewall(args: Omit<ClusterChoices, "addOns">): FirewallChoices {
  const { firewall = {} } = args;
  const { kubeSpanCidrs, allowWorldToKubeSpan, ciliumWireGuard, monitoring, extraRules } = firewall;
  return {
    kubeSpanCidrs,
    allowWorldToKubeSpan,
    ciliumWireGuard,
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
