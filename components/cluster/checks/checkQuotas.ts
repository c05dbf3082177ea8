import { wholeNumber } from "../../argumentChecks";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { portsOfMachines } from "../../endpoint/ingressListeners";
import type { FirewallGroup } from "../../firewall/firewallArgs";
import type { FirewallPeer } from "../../firewall/planFirewallRules";
import { countsFor, type QuotaFamilies, virtualProcessors } from "../../machines/instanceType";
import { DEFAULT_INSTANCE_TYPE } from "../../machines/machineSettings";
import { type PropertyProblem, within } from "../../problems";
import type { ChosenClusterArgs, ClusterChoices } from "../arguments/chosenClusterArgs";
import type { ClusterQuotas } from "../arguments/talosClusterArgs";

/** The declared quotas that the cluster would exceed, for which `up` would fail half-way. */
export function checkQuotas(args: ChosenClusterArgs): PropertyProblem[] {
  const { quotas = {} } = args;
  const problems = within("quotas", [
    ...wholeNumber("inboundRulesPerGroup", quotas.inboundRulesPerGroup, 1, 1_000),
    ...wholeNumber("elasticAddresses", quotas.elasticAddresses, 0, 10_000),
    ...PROCESSOR_QUOTAS.flatMap(({ property }) =>
      wholeNumber(property, quotas[property], 0, 1_000_000),
    ),
  ]);
  const exceeded = QUOTAS.flatMap(({ property, problemsWith }) => {
    const most = quotas[property];
    return most === undefined
      ? []
      : problemsWith(args, most).map((reason) => ({ property: `quotas.${property}`, reason }));
  });
  return problems.length > 0 ? problems : exceeded;
}

/** A quota of an account that a cluster can exceed. */
export interface AccountQuota {
  readonly property: keyof ClusterQuotas;
  /** The service and the code that Service Quotas know it by. */
  readonly serviceCode: "ec2" | "vpc";
  readonly code: string;
  /** What a new account has, and most others; undefined if accounts differ. */
  readonly usual?: number;
  /** What is wrong with a cluster if AWS allows so much. */
  readonly problemsWith: (args: ChosenClusterArgs, most: number) => readonly string[];
}

/**
 * Counts the inbound rules per group. EC2 counts IPv4 and IPv6 separately; a rule with a group as
 * source counts for both.
 */
export function countInboundRules(args: ChosenClusterArgs): Record<FirewallGroup, number> {
  const rules = args.facts.firewallRules.filter(({ direction }) => direction === "ingress");
  const apiGroup = args.exposure === "direct" ? "controlPlane" : "loadBalancer";
  const count = (group: FirewallGroup) => {
    const own = rules.filter((rule) => rule.group === group).map(({ peer }) => peer);
    const ofFamily = (other: keyof FirewallPeerKeys) =>
      own.filter((peer) => !(other in peer)).length;
    const single =
      (group === apiGroup ? addressesLetIn(args) : 0) +
      (group === "worker" ? ingressPorts(args) : 0);
    return Math.max(ofFamily("ipv6Cidr") + single, ofFamily("cidr"));
  };
  return {
    controlPlane: count("controlPlane"),
    worker: count("worker"),
    loadBalancer: count("loadBalancer"),
  };
}

/** The rules by which load balancers in front of pools reach workers. */
function ingressPorts({ workerPools = {} }: ChosenClusterArgs): number {
  return Object.values(workerPools).reduce(
    (sum, { ingress }) =>
      sum + (ingress === undefined ? 0 : portsOfMachines(ingress.listeners).length),
    0,
  );
}

/** The key of a range in a peer, by its address family. */
type FirewallPeerKeys = Extract<FirewallPeer, { cidr: string }> &
  Extract<FirewallPeer, { ipv6Cidr: string }>;

/** The inbound rules of each load balancer in front of a pool: one for each port and range of clients. */
function countIngressRules({ workerPools = {} }: ChosenClusterArgs): Record<string, number> {
  return Object.fromEntries(
    Object.entries(workerPools).flatMap(([name, { ingress }]) => {
      if (ingress === undefined) {
        return [];
      }
      const { listeners, clientCidrs = [], allowWorld = false } = ingress;
      const rules = Object.keys(listeners).length * (allowWorld ? 1 : clientCidrs.length);
      return [[`${name}-ingress`, rules] as const];
    }),
  );
}

function ruleProblems(args: ChosenClusterArgs, most: number): readonly string[] {
  return Object.entries({ ...countInboundRules(args), ...countIngressRules(args) })
    .filter(([, rules]) => rules > most)
    .map(
      ([group, rules]) =>
        `the security group ${group} gets ${rules} inbound rules, and AWS allows ${most}: name fewer ranges, put machines into private subnets, or ask AWS for a higher quota (L-0EA8095F); quotas.inboundRulesPerGroup declares one that AWS has promised`,
    );
}

function addressProblems(args: ChosenClusterArgs, most: number): readonly string[] {
  const fixed =
    args.controlPlane?.fixedAddresses === true ? args.facts.addOnCluster.controlPlanes : 0;
  const nat = args.facts.natGateways.length;
  const problem = `the cluster takes ${nat + fixed} elastic addresses, ${nat} for NAT and ${fixed} fixed ones, and AWS allows ${most} per region: set network.nat "single", leave out controlPlane.fixedAddresses, or ask AWS for a higher quota (L-0263D0A3); quotas.elasticAddresses declares one that AWS has promised`;
  return nat + fixed > most ? [problem] : [];
}

/** The most virtual processors of some families that run at once, on demand and as spot machines. */
export function countProcessors(
  args: Pick<ClusterChoices, "controlPlane" | "workerPools">,
  families: QuotaFamilies = "standard",
): {
  readonly onDemand: number;
  readonly spot: number;
} {
  const isStandard = families === "standard";
  const processors = (types: readonly string[]) => processorsOf(types, families);
  const { controlPlane = {}, workerPools = {} } = args;
  const { instanceType = DEFAULT_INSTANCE_TYPE } = controlPlane;
  const { machineCount = DEFAULT_MACHINE_COUNT } = controlPlane;
  let onDemand = typeof instanceType === "string" ? machineCount * processors([instanceType]) : 0;
  let spot = 0;
  for (const pool of Object.values(workerPools)) {
    if (pool.karpenter !== undefined) {
      // It launches no machines of other families here.
      if (!isStandard) {
        continue;
      }
      const { limits, capacityTypes = ["on-demand"] } = pool.karpenter;
      onDemand += capacityTypes.includes("on-demand") ? limits.vcpus : 0;
      spot += capacityTypes.includes("spot") ? limits.vcpus : 0;
      continue;
    }
    const { instanceType: first = DEFAULT_INSTANCE_TYPE, autoScaling } = pool;
    const required = autoScaling?.instanceRequirements?.vcpus;
    const each =
      required === undefined
        ? processors([first, ...(autoScaling?.moreInstanceTypes ?? [])])
        : isStandard
          ? (required.max ?? Infinity)
          : 0;
    if (autoScaling === undefined) {
      onDemand += pool.machineCount * each;
      continue;
    }
    const { maxSize, onDemandPercentage = 100, onDemandBaseSize = 0 } = autoScaling;
    const beyond = Math.max(0, maxSize - onDemandBaseSize);
    const dear =
      Math.min(maxSize, onDemandBaseSize) + Math.ceil((beyond * onDemandPercentage) / 100);
    // Of no machine there is none, also where each could have any number.
    onDemand += dear === 0 ? 0 : dear * each;
    spot += maxSize === dear ? 0 : (maxSize - dear) * each;
  }
  return { onDemand, spot };
}

/** The virtual processors of the largest of these types; of types whose number isn't known, none. */
function processorsOf(types: readonly string[], families: QuotaFamilies): number {
  return Math.max(
    ...types.map((type) => (countsFor(families, type) ? (virtualProcessors(type) ?? 0) : 0)),
  );
}

/** A quota of virtual processors, which AWS sets for each account. */
interface ProcessorQuota {
  readonly property: Exclude<keyof ClusterQuotas, "inboundRulesPerGroup" | "elasticAddresses">;
  readonly code: string;
  readonly families: QuotaFamilies;
  readonly kind: "onDemand" | "spot";
  /** The machines in words. */
  readonly machines: string;
}

/**
 * These quotas. AWS has several for spot machines of P families, which are not here. Source: the names of the
 * quotas of EC2 in Service Quotas.
 */
const PROCESSOR_QUOTAS: readonly ProcessorQuota[] = [
  {
    property: "onDemandVcpus",
    code: "L-1216C47A",
    families: "standard",
    kind: "onDemand",
    machines: "on-demand machines",
  },
  {
    property: "spotVcpus",
    code: "L-34B43A08",
    families: "standard",
    kind: "spot",
    machines: "spot machines",
  },
  {
    property: "onDemandGVcpus",
    code: "L-DB2E81BA",
    families: "g",
    kind: "onDemand",
    machines: "on-demand machines of G types",
  },
  {
    property: "spotGVcpus",
    code: "L-3819A6DF",
    families: "g",
    kind: "spot",
    machines: "spot machines of G types",
  },
  {
    property: "onDemandPVcpus",
    code: "L-417A185B",
    families: "p",
    kind: "onDemand",
    machines: "on-demand machines of P types",
  },
];

function processorQuota(quota: ProcessorQuota): AccountQuota {
  const { property, code, families, kind, machines } = quota;
  const problemsWith = (args: ChosenClusterArgs, most: number) => {
    const needed = countProcessors(args, families)[kind];
    if (needed <= most) {
      return [];
    }
    return [
      needed === Infinity
        ? `nothing limits the virtual processors of a pool's ${machines}, and AWS allows ${most}: set autoScaling.instanceRequirements.vcpus.max of each pool`
        : `the cluster has up to ${needed} virtual processors of ${machines}, and AWS allows ${most}: take fewer or smaller machines, or ask AWS for a higher quota (${code}); quotas.${property} declares one that AWS has promised`,
    ];
  };
  return { property, serviceCode: "ec2", code, problemsWith };
}

/**
 * All quotas. Sources: Amazon VPC quotas, Amazon EC2 quotas. AWS raises them on
 * request, and lowers none unasked.
 */
export const QUOTAS: readonly AccountQuota[] = [
  {
    property: "inboundRulesPerGroup",
    serviceCode: "vpc",
    code: "L-0EA8095F",
    usual: 60,
    problemsWith: ruleProblems,
  },
  {
    property: "elasticAddresses",
    serviceCode: "ec2",
    code: "L-0263D0A3",
    usual: 5,
    problemsWith: addressProblems,
  },
  ...PROCESSOR_QUOTAS.map(processorQuota),
];

/**
 * The machines and NAT addresses that a public load balancer allows one by one; none with an
 * internal one.
 */
function addressesLetIn(args: ChosenClusterArgs): number {
  const { exposure = "public", workerPools = {}, facts } = args;
  if (exposure === "internal" || exposure === "both") {
    return 0;
  }
  const own = facts.access.subnets === "public" ? facts.addOnCluster.controlPlanes : 0;
  const workers = Object.values(workerPools)
    .filter(({ subnets = "public" }) => subnets === "public")
    .reduce((sum, pool) => sum + (pool.machineCount ?? 0), 0);
  return own + workers + args.facts.natGateways.length;
}
