/** What a stack has made in one network, and who may talk to whom there. */
export interface Topology {
  /** Id of the VPC. */
  readonly network: string;
  /** Its range; undefined for one that the stack didn't make. */
  readonly cidr: string | undefined;
  /** Availability zones, in their order. */
  readonly zones: readonly string[];
  readonly subnets: readonly TopologySubnet[];
  readonly loadBalancers: readonly TopologyLoadBalancer[];
  readonly groups: readonly MachineGroup[];
  /** What the security groups let in. */
  readonly flows: readonly Flow[];
}

/** Whether a subnet's way out is the internet gateway. */
export type Tier = "public" | "private";

export interface TopologySubnet {
  readonly id: string;
  readonly zone: string;
  readonly tier: Tier;
  /** Undefined for one that the stack didn't make. */
  readonly cidr: string | undefined;
  /** Whether a NAT gateway stands in it. */
  readonly hasNat: boolean;
}

export interface TopologyLoadBalancer {
  readonly name: string;
  readonly isInternal: boolean;
  readonly zones: readonly string[];
  /** Ports it listens at. */
  readonly ports: readonly number[];
  readonly party: string;
}

/** Machines of one kind: a control plane, or a pool of workers. */
export interface MachineGroup {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly tier: Tier;
  readonly instanceTypes: readonly string[];
  /** Named machines; none in auto scaling groups. */
  readonly machines: readonly TopologyMachine[];
  /** Auto scaling groups; none where machines are named. */
  readonly scaling: readonly Scaling[];
  /** Zones that it spans. */
  readonly zones: readonly string[];
  readonly party: string;
}

export interface TopologyMachine {
  readonly name: string;
  readonly zone: string;
  readonly privateAddress: string;
  /** Empty for one that has none. */
  readonly publicAddress: string;
}

/** How many machines an auto scaling group has, and where. */
export interface Scaling {
  readonly zones: readonly string[];
  readonly min: number;
  readonly max: number;
  /** Undefined where something else decides. */
  readonly desired: number | undefined;
}

/** Connections that one party may open to another. */
export interface Flow {
  readonly from: string;
  readonly to: string;
  /** For example `tcp 6443`, with what it is for; in the order of ports. */
  readonly ports: readonly { readonly port: string; readonly why: string }[];
}
