/** The resources of a stack in one network, and the allowed connections. */
export interface Topology {
  /** Id of the VPC. */
  readonly network: string;
  /** Its range; undefined for an adopted one. */
  readonly cidr: string | undefined;
  /** Availability zones, sorted. */
  readonly zones: readonly string[];
  readonly subnets: readonly TopologySubnet[];
  readonly loadBalancers: readonly TopologyLoadBalancer[];
  readonly groups: readonly MachineGroup[];
  /** The connections that the security groups allow. */
  readonly flows: readonly Flow[];
  /** The connections to addresses outside that they allow; a party without any reaches only others. */
  readonly outbound: readonly Flow[];
  /** URLs of Kubernetes APIs, as the machines' configuration has them. */
  readonly endpoints: readonly string[];
  /** What the machines run, for example `Talos v1.12.1`; several releases during an upgrade. */
  readonly versions: readonly string[];
}

/** Whether a subnet's default route is the internet gateway. */
export type Tier = "public" | "private";

export interface TopologySubnet {
  readonly id: string;
  readonly zone: string;
  readonly tier: Tier;
  /** Undefined for an adopted one. */
  readonly cidr: string | undefined;
  /** Whether it contains a NAT gateway. */
  readonly hasNat: boolean;
}

export interface TopologyLoadBalancer {
  readonly name: string;
  readonly isInternal: boolean;
  readonly zones: readonly string[];
  /** Its listening ports. */
  readonly ports: readonly number[];
  readonly party: string;
}

/** Machines of one kind: a control plane, or a pool of workers. */
export interface MachineGroup {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly tier: Tier;
  readonly instanceTypes: readonly string[];
  /** Machines of one kind: a control plane, or a worker pool. */
  readonly machines: readonly TopologyMachine[];
  /** Auto scaling groups; none for named machines. */
  readonly scaling: readonly Scaling[];
  /** The zones of its machines. */
  readonly zones: readonly string[];
  readonly party: string;
}

export interface TopologyMachine {
  readonly name: string;
  readonly zone: string;
  readonly privateAddress: string;
  /** Empty without one. */
  readonly publicAddress: string;
}

/** The size of an auto scaling group, and its location. */
export interface Scaling {
  readonly zones: readonly string[];
  readonly min: number;
  readonly max: number;
  /** Undefined if something else sets it. */
  readonly desired: number | undefined;
}

/** Connections from one party to another. */
export interface Flow {
  readonly from: string;
  readonly to: string;
  /** For example `tcp 6443`, with their purposes, sorted by port. */
  readonly ports: readonly { readonly port: string; readonly why: string }[];
}
