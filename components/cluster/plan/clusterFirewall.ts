import type { MonitoringTarget } from "../../firewall/firewallArgs";
import type { FirewallChoices } from "../../firewall/planFirewallRules";
import type { ClusterChoices } from "../arguments/chosenClusterArgs";
import type { MetricsSource } from "../arguments/talosClusterArgs";

/** The arguments that decide a cluster's firewall. */
export function clusterFirewall(args: Omit<ClusterChoices, "addOns">): FirewallChoices {
  const { firewall = {} } = args;
  const { kubeSpanCidrs, allowWorldToKubeSpan, ciliumWireGuard, extraRules } = firewall;
  const { monitoring, monitoringFrom } = firewall;
  return {
    kubeSpanCidrs,
    allowWorldToKubeSpan,
    ciliumWireGuard,
    monitoring: args.metrics === undefined ? monitoring : withServed(monitoring, args.metrics),
    monitoringFrom,
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

function withServed(
  monitoring: readonly MonitoringTarget[] = [],
  metrics: readonly MetricsSource[],
): readonly MonitoringTarget[] {
  return [...monitoring, ...new Set(metrics.filter((source) => !monitoring.includes(source)))];
}
