import { DEFAULT_MACHINE_COUNT } from "../controlPlane/controlPlane";
import type { FirewallGroup } from "../firewall/firewallArgs";
import { type FirewallPeer, planFirewallRules } from "../firewall/planFirewallRules";
import { planNatGateways } from "../network/planNatGateways";
import { planZones } from "../network/planSubnets";
import { type PropertyProblem, within } from "../problems";
import { wholeNumber } from "../wholeNumber";
import type { ClusterQuotas, TalosClusterArgs } from "./arguments/talosClusterArgs";
import { clusterFirewall } from "./clusterFirewall";
import { planMachineAccess } from "./planMachineAccess";

/** The quotas of a new account. Sources: Amazon VPC quotas, Amazon EC2 quotas. */
const DEFAULTS: Required<ClusterQuotas> = { inboundRulesPerGroup: 60, elasticAddresses: 5 };

/** Quotas that the cluster would exceed, so that `up` would fail half-way. */
export function checkQuotas(args: TalosClusterArgs): PropertyProblem[] {
  const { quotas = {} } = args;
  const problems = within("quotas", [
    ...wholeNumber("inboundRulesPerGroup", quotas.inboundRulesPerGroup, 1, 1_000),
    ...wholeNumber("elasticAddresses", quotas.elasticAddresses, 0, 10_000),
  ]);
  return problems.length > 0
    ? problems
    : [...checkRules(args, quotas), ...checkAddresses(args, quotas)];
}

/**
 * Counts the inbound rules per group. EC2 counts IPv4 and IPv6 separately; a rule with a group as
 * source counts for both.
 */
export function countInboundRules(args: TalosClusterArgs): Record<FirewallGroup, number> {
  const { addOns = {}, cni } = args;
  const choices = clusterFirewall(args);
  const kubelet = addOns.metricsServer === undefined ? [] : ["kubelet" as const];
  const rules = planFirewallRules({
    ...choices,
    cni: addOns.cilium === undefined ? cni : "cilium",
    monitoring: [...new Set([...(choices.monitoring ?? []), ...kubelet])],
  }).filter(({ direction }) => direction === "ingress");
  const apiGroup = args.exposure === "direct" ? "controlPlane" : "loadBalancer";
  const count = (group: FirewallGroup) => {
    const own = rules.filter((rule) => rule.group === group).map(({ peer }) => peer);
    const ofFamily = (other: keyof FirewallPeerKeys) =>
      own.filter((peer) => !(other in peer)).length;
    const single = group === apiGroup ? addressesLetIn(args) : 0;
    return Math.max(ofFamily("ipv6Cidr") + single, ofFamily("cidr"));
  };
  return {
    controlPlane: count("controlPlane"),
    worker: count("worker"),
    loadBalancer: count("loadBalancer"),
  };
}

/** The key of a range in a peer, by its address family. */
type FirewallPeerKeys = Extract<FirewallPeer, { cidr: string }> &
  Extract<FirewallPeer, { ipv6Cidr: string }>;

function checkRules(
  args: TalosClusterArgs,
  { inboundRulesPerGroup = DEFAULTS.inboundRulesPerGroup }: ClusterQuotas,
): PropertyProblem[] {
  return Object.entries(countInboundRules(args))
    .filter(([, rules]) => rules > inboundRulesPerGroup)
    .map(([group, rules]) => ({
      property: "quotas.inboundRulesPerGroup",
      reason: `the security group ${group} gets ${rules} inbound rules, and AWS allows ${inboundRulesPerGroup}: name fewer ranges, put machines into private subnets, or ask AWS for a higher quota (L-0EA8095F) and declare it here`,
    }));
}

function checkAddresses(
  args: TalosClusterArgs,
  { elasticAddresses = DEFAULTS.elasticAddresses }: ClusterQuotas,
): PropertyProblem[] {
  const { controlPlane = {} } = args;
  const fixed =
    controlPlane.fixedAddresses === true ? (controlPlane.machineCount ?? DEFAULT_MACHINE_COUNT) : 0;
  const nat = natGateways(args);
  const reason = `the cluster takes ${nat + fixed} elastic addresses, ${nat} for NAT and ${fixed} fixed ones, and AWS allows ${elasticAddresses} per region: set network.nat "single", leave out controlPlane.fixedAddresses, or ask AWS for a higher quota (L-0263D0A3) and declare it here`;
  return nat + fixed > elasticAddresses ? [{ property: "quotas.elasticAddresses", reason }] : [];
}

function natGateways({ network }: TalosClusterArgs): number {
  const zoneKeys = network.adopt === undefined ? planZones(network).map(({ key }) => key) : [];
  return planNatGateways(zoneKeys, network.nat ?? "none", network.natZone).length;
}

/**
 * The machines and NAT addresses that a public load balancer allows one by one; none with an
 * internal one.
 */
function addressesLetIn(args: TalosClusterArgs): number {
  const { exposure = "public", controlPlane = {}, workerPools = {} } = args;
  if (exposure === "internal" || exposure === "both") {
    return 0;
  }
  const { machineCount = DEFAULT_MACHINE_COUNT } = controlPlane;
  const own = planMachineAccess(args).subnets === "public" ? machineCount : 0;
  const workers = Object.values(workerPools)
    .filter(({ subnets }) => subnets !== "private")
    .reduce((sum, pool) => sum + (pool.machineCount ?? 0), 0);
  return own + workers + natGateways(args);
}
