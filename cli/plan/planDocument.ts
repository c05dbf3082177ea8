import type { ClusterPlan, MachinesPlan, PoolPlan, VolumePlan } from "../../components/cluster";
import {
  type FirewallPeer,
  type FirewallPort,
  type FirewallRule,
  KUBERNETES_API_PORT,
} from "../../components/firewall";
import { knownText } from "../../components/knownText";
import type { PoolTier } from "../../components/network";
import type { InstanceRequirementsArgs, KarpenterPoolArgs } from "../../components/workers";
import { type RolePolicy, rolePolicies } from "./rolePolicies";

/**
 * A cluster's plan as `talos-aws plan --json` prints it. A member that has no value is left out. Within a
 * format, members are only added: a program that ignores unknown members keeps working.
 */
export interface PlanDocument {
  /** Of this document. It rises when a member goes, or means something else. */
  readonly format: 1;
  readonly stack: string;
  /** The cluster's name, with which the names of its resources start. */
  readonly cluster: string;
  readonly region: string;
  readonly talosVersion: string;
  readonly kubernetesVersion: string;
  readonly api: {
    /** URL of the Kubernetes API. */
    readonly endpoint: string;
    /** Name of the hosted zone that has its record. */
    readonly zoneName: string;
    /** `public`, `internal`, `both` or `direct`. */
    readonly exposure: string;
  };
  /** How `up` reaches new control plane machines. */
  readonly access: {
    /** `apply` or `userData`. */
    readonly delivery: string;
    /** By what a new machine is trusted, with `apply`. */
    readonly firstContact?: string;
    /** The name of the load balancer that forwards the Talos API. Left out: machines are dialled. */
    readonly talosEndpoint?: string;
  };
  readonly network: {
    /** Id of an adopted VPC. Left out: one is made. */
    readonly vpcId?: string;
    /** Keys of the zones with subnets, by tier. */
    readonly zones: Readonly<Record<PoolTier, readonly string[]>>;
    /** Those that are made. */
    readonly subnets: readonly {
      readonly tier: PoolTier;
      readonly zone: string;
      readonly cidrBlock: string;
    }[];
    readonly natGateways: readonly { readonly zone: string; readonly serves: readonly string[] }[];
    readonly podCidrs: readonly string[];
    readonly serviceCidrs: readonly string[];
  };
  readonly machines: {
    readonly controlPlane: MachinesDocument;
    /** By the name of the pool. */
    readonly pools: Readonly<Record<string, MachinesDocument>>;
    /** The most nodes that the cluster can have. */
    readonly most: number;
  };
  /** Rules of the cluster's security groups. All else is closed. */
  readonly firewallRules: readonly RuleDocument[];
  /** IAM roles: of the machines, then of add-ons. */
  readonly roles: readonly RolePolicy[];
  readonly addOns: readonly string[];
  /** The bucket that publishes keys of service accounts, with `irsa`. */
  readonly issuerBucket?: string;
}

export interface MachinesDocument {
  readonly subnets: PoolTier;
  readonly instanceType: string;
  /** Equivalent types, for groups. */
  readonly moreInstanceTypes?: readonly string[];
  /** What machines of groups must have; the instance type then only sets the architecture. */
  readonly instanceRequirements?: InstanceRequirementsArgs;
  /** What Karpenter may launch; the instance type then means nothing. */
  readonly karpenter?: KarpenterPoolArgs;
  /** The volumes of each machine, encrypted. */
  readonly volumes: readonly VolumePlan[];
  /** The machines with names of their own. A zone that no argument names is that of a new machine. */
  readonly machines: readonly { readonly name: string; readonly zone: string }[];
  /** Auto scaling groups, whose machines AWS makes. */
  readonly groups: readonly {
    readonly name: string;
    readonly zones: readonly string[];
    readonly minSize: number;
    readonly maxSize: number;
  }[];
}

export interface RuleDocument {
  /** `controlPlane`, `worker` or `loadBalancer`. */
  readonly group: string;
  readonly direction: "ingress" | "egress";
  /** A group, the id of another group, or a range. */
  readonly peer: string;
  /** Left out: all. */
  readonly protocol?: string;
  /** Left out: all. For `icmp`, type and code. */
  readonly ports?: { readonly from: number; readonly to: number };
  readonly description: string;
}

export interface PlannedStack {
  readonly stack: string;
  readonly name: string;
  readonly region: string;
}

/** The plan of a cluster with plain arguments. It has no secret: patches and manifests aren't in it. */
export function planDocument(
  plan: ClusterPlan,
  { stack, name, region }: PlannedStack,
): PlanDocument {
  const { facts, machines, network, exposure = "public" } = plan;
  const { delivery, firstContact, endpoint } = facts.access;
  const controlPlane = `${name}-control-plane`;
  const clusterName = knownText(plan.clusterName ?? name);
  return {
    format: 1,
    stack,
    cluster: name,
    region,
    talosVersion: knownText(plan.talosVersion),
    kubernetesVersion: knownText(plan.kubernetesVersion),
    api: {
      endpoint: `https://${facts.names.recordName}:${KUBERNETES_API_PORT}`,
      zoneName: facts.names.zoneName,
      exposure,
    },
    access: {
      delivery,
      ...(firstContact !== undefined && { firstContact }),
      ...(endpoint !== undefined && { talosEndpoint: endpoint }),
    },
    network: {
      ...(network.adopt !== undefined && { vpcId: knownText(network.adopt.vpcId) }),
      zones: facts.zones,
      subnets: plan.subnets.map(({ tier, key, cidrBlock }) => ({ tier, zone: key, cidrBlock })),
      natGateways: facts.natGateways.map(({ zoneKey, serves }) => ({ zone: zoneKey, serves })),
      ...facts.ranges,
    },
    machines: {
      controlPlane: machinesDocument(controlPlane, machines.controlPlane),
      pools: Object.fromEntries(
        machines.pools.map((pool) => [pool.name, poolDocument(`${name}-${pool.name}`, pool)]),
      ),
      most: facts.mostNodes,
    },
    firewallRules: facts.firewallRules.map(ruleDocument),
    roles: rolePolicies(name, plan.permissions, { region, clusterName }),
    addOns: Object.keys(plan.addOns ?? {}),
    ...(facts.irsa !== undefined && { issuerBucket: facts.irsa.bucketName }),
  };
}

function machinesDocument(childName: string, plan: MachinesPlan): MachinesDocument {
  return {
    subnets: plan.subnets,
    instanceType: knownText(plan.instanceType),
    volumes: plan.volumes,
    machines: plan.named.map(({ key, zoneKey }) => ({
      name: `${childName}-${key}`,
      zone: zoneKey,
    })),
    groups: plan.groups.map(({ key, zoneKeys, minSize, maxSize }) => ({
      name: `${childName}-${key}`,
      zones: zoneKeys,
      minSize,
      maxSize,
    })),
  };
}

function poolDocument(childName: string, plan: PoolPlan): MachinesDocument {
  const { moreInstanceTypes, instanceRequirements, karpenter } = plan;
  return {
    ...machinesDocument(childName, plan),
    ...(moreInstanceTypes.length > 0 && { moreInstanceTypes }),
    ...(instanceRequirements !== undefined && { instanceRequirements }),
    ...(karpenter !== undefined && { karpenter }),
  };
}

function ruleDocument({ group, direction, peer, port, description }: FirewallRule): RuleDocument {
  return { group, direction, peer: peerText(peer), ...portOf(port), description };
}

function portOf(port: FirewallPort | undefined): Pick<RuleDocument, "protocol" | "ports"> {
  return {
    ...(port !== undefined && { protocol: port.protocol }),
    ...(port?.ports !== undefined && { ports: port.ports }),
  };
}

function peerText(peer: FirewallPeer): string {
  if ("group" in peer) {
    return peer.group;
  }
  if ("securityGroupId" in peer) {
    return knownText(peer.securityGroupId);
  }
  return "cidr" in peer ? peer.cidr : peer.ipv6Cidr;
}
