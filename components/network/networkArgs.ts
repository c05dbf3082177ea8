import type * as pulumi from "@pulumi/pulumi";
import type { NatStrategy } from "./planNatGateways";

/** The range a network has when none is given. */
export const DEFAULT_NETWORK_CIDR = "10.0.0.0/16";
/** The range Talos gives to pods when it is told none. */
export const DEFAULT_POD_CIDRS: readonly string[] = ["10.244.0.0/16"];
/** The range Talos gives to services when it is told none. */
export const DEFAULT_SERVICE_CIDRS: readonly string[] = ["10.96.0.0/12"];

/** Arguments of `Network`. */
export interface NetworkArgs {
  /** Name of the cluster, for the tag by which controllers in the cluster find its network. */
  readonly clusterName: pulumi.Input<string>;
  /**
   * The network's IPv4 range, /16 to /24. It splits into 16 equal slots: for each zone, by the
   * letter its name ends in, one for public subnets and one for private ones. Fixed once
   * machines run in it: another range means another cluster, and a preview refuses it. Default: `10.0.0.0/16`.
   */
  readonly cidrBlock?: string;
  /**
   * The availability zones to span, 1 to 6, for example `["us-east-1a", "us-east-1b"]`. One zone
   * is the cheapest, three survive the loss of one. Adding or removing a zone leaves the subnets
   * of the others alone. One with machines in it can't be removed, and removing one replaces the
   * load balancers that lie in it. Exclusive with `zoneCount`.
   */
  readonly zones?: readonly string[];
  /**
   * How many zones to span, 1 to 6: the first by name that are available when the network is made;
   * each subnet stays in the zone it was made in. Subnets are keyed `1`, `2`, … then, so going
   * over to `zones` later replaces them. Exclusive with `zones`.
   */
  readonly zoneCount?: number;
  /**
   * Whether each zone has a private subnet, too, which nobody outside the network can call. Free
   * of charge. Default: true with `nat`, else false.
   */
  readonly privateSubnets?: boolean;
  /**
   * How private subnets reach the internet over IPv4. `none`: not at all. `single`: through one
   * NAT gateway; without its zone they all are cut off, and traffic from other zones costs $0.01
   * a GB each way. `perZone`: through one in each zone. A gateway costs about $36.50 a month with
   * its address, and $0.045 for each GB (list prices in us-east-1, November 2026). Going from one
   * to another later keeps the subnets; connections that are open break. Default: `none`.
   */
  readonly nat?: NatStrategy;
  /**
   * Key of the zone that the single NAT gateway lies in. It moves when this changes, and keeps its
   * address. Default: the first zone, so add further ones behind it or set this.
   */
  readonly natZone?: string;
  /**
   * Gives the network a range of IPv6 addresses from AWS besides the IPv4 one, each subnet a /64,
   * and each machine made from then on an address. Private subnets get out over IPv6 through an
   * egress-only gateway, and nobody in. Free of charge. Can be turned on later, but not off
   * again while machines have such addresses. Default: false.
   */
  readonly ipv6?: boolean;
  /**
   * AWS services reached without leaving AWS' network, or paying for NAT. With `s3` the layers of
   * images in ECR come that way. Free of charge. Default: none.
   */
  readonly gatewayEndpoints?: readonly GatewayService[];
  /** Records who talked to whom. Default: no records. */
  readonly flowLogs?: FlowLogsArgs;
  /**
   * Takes a network that is there, and makes nothing in it. Exclusive with everything that says how
   * to make one. Default: one is made.
   */
  readonly adopt?: AdoptedNetworkArgs;
  /** Ranges of pods, which the network may not overlap. Default: `["10.244.0.0/16"]`. */
  readonly podCidrs?: readonly string[];
  /** Ranges of services, which the network may not overlap. Default: `["10.96.0.0/12"]`. */
  readonly serviceCidrs?: readonly string[];
  /** Pulumi refuses to delete the VPC, its subnets and the addresses of its NAT. Default: false. */
  readonly protect?: boolean;
  /** More tags for everything in the network. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A service that AWS offers through gateway endpoints. */
export type GatewayService = "s3" | "dynamodb";

/** Where the records of a network's traffic go: exactly one of a bucket and a log group. */
export interface FlowLogsArgs {
  /**
   * ARN of an S3 bucket that lets AWS deliver logs into it; with `/folder/` behind it, of a folder
   * there. About $0.25 a GB of records and the bucket's storage (list price in us-east-1, November
   * 2026).
   */
  readonly bucketArn?: pulumi.Input<string>;
  /**
   * ARN of a CloudWatch log group, and a role is made that may write there. About $0.50 a GB of
   * records and their storage (list price in us-east-1, November 2026).
   */
  readonly logGroupArn?: pulumi.Input<string>;
  /** Which traffic: all of it, or what the firewall let through or turned away. Default: `all`. */
  readonly traffic?: FlowLogTraffic;
  /**
   * Over how many seconds records are summed up, 60 or 600. Shorter ones are more records and cost
   * more. Default: 600.
   */
  readonly intervalSeconds?: number;
}

/** Which traffic flow logs record. */
export type FlowLogTraffic = "all" | "accepted" | "rejected";

/**
 * A network that is there. Machines in its public subnets need a route to an internet gateway, those
 * in its private ones one to NAT, and its DNS support and host names have to be on.
 */
export interface AdoptedNetworkArgs {
  readonly vpcId: pulumi.Input<string>;
  /** Ids of its public subnets, one for each availability zone, by the zone's name. */
  readonly publicSubnetIds?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Ids of its private subnets, one for each availability zone, by the zone's name. */
  readonly privateSubnetIds?: Readonly<Record<string, pulumi.Input<string>>>;
  /**
   * The public IPv4 addresses by which machines in the private subnets are seen from outside, those of
   * the network's NAT, by the zone's name; several zones may have the same. A public entrance to the
   * Kubernetes API lets them in. `{}`: other arguments let them in. Default: not known, and refused
   * where machines couldn't reach the API without.
   */
  readonly natAddresses?: Readonly<Record<string, string>>;
  /**
   * Whether this stack gives the subnets the tags by which the cloud controller and the load balancer
   * controller find them: `kubernetes.io/cluster/<cluster>` = `shared`, and `kubernetes.io/role/elb` or,
   * in private ones, `kubernetes.io/role/internal-elb` = `1`. Only where nobody declares the subnets'
   * tags: an owner who does, in Pulumi or Terraform, takes them away with each run, and this stack gives
   * them again. There the owner declares them; a `Network` of this package has the roles already, and
   * takes the others in its `tags`. The tags that tell public from private subnets stay when the cluster
   * goes, because other clusters may go by them. Default: false.
   */
  readonly tagSubnets?: boolean;
}
