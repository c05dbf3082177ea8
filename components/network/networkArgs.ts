import type * as pulumi from "@pulumi/pulumi";
import type { LogGroupArgs } from "../logs/logGroup";
import type { NatStrategy } from "./planNatGateways";

/** The default range of a network. */
export const DEFAULT_NETWORK_CIDR = "10.0.0.0/16";

/** Arguments of `Network`. */
export interface NetworkArgs {
  /**
   * Name of the cluster. It is part of the tag by which controllers in the cluster find its
   * network.
   */
  readonly clusterName: pulumi.Input<string>;
  /**
   * The network's IPv4 range, /16 to /24. It splits into 16 equal slots. Each zone has one for
   * public subnets and one for private ones, chosen by the last letter of its name. The range is
   * fixed once machines run in it: another one means another cluster, and a preview refuses it.
   * Default: `10.0.0.0/16`.
   */
  readonly cidrBlock?: string;
  /**
   * The availability zones, 1 to 6, for example `["us-east-1a", "us-east-1b"]`. One zone is the
   * cheapest; three survive the loss of one. Adding or removing a zone does not change the subnets
   * of the others. A zone with machines can't be removed. The removal of a zone replaces the load
   * balancers in it. Exclusive with `zoneCount`.
   */
  readonly zones?: readonly string[];
  /**
   * Number of zones, 1 to 6: the first available ones by name when the network is created. Each
   * subnet stays in the zone of its creation. Subnets then have the keys `1`, `2`, …, so a later
   * change to `zones` replaces them. Exclusive with `zones`.
   */
  readonly zoneCount?: number;
  /**
   * Whether the network has an internet gateway, and its zones public subnets. With false, nothing
   * in it reaches the internet or can be reached from it, and each zone has a private subnet only. A
   * cluster then needs `exposure: "internal"`, endpoints for the AWS services that it calls, mirrors
   * for every registry, a time server, and no public discovery service. The preview lists what is
   * missing. With `adopt`, it says that the network's machines have no way out. It can't change
   * while a cluster exists. Default: true.
   */
  readonly internetAccess?: boolean;
  /**
   * A second IPv4 range of the network, /16 to /24, for pools with `subnets: "worker"`, such as
   * `100.64.0.0/16` if `cidrBlock` is small. It splits into 8 equal slots, one for each zone's letter.
   * The subnets are private. It can be added to a running cluster, and moves no other subnet. It
   * can't change while machines are in it. Free of charge. Default: none.
   */
  readonly workerCidrBlock?: string;
  /**
   * Whether each zone also has a private subnet, which cannot be reached from outside the network.
   * Free of charge. Default: true with `nat`, else false.
   */
  readonly privateSubnets?: boolean;
  /**
   * How private subnets reach the internet over IPv4.
   * - `none`: they don't.
   * - `single`: through one NAT gateway. If its zone fails, all private subnets are cut off.
   *   Traffic from other zones costs $0.01 per GB each way.
   * - `perZone`: through one gateway in each zone.
   *
   * A gateway costs about $36.50 a month with its address, and $0.045 per GB (list prices in
   * us-east-1, November 2026). A later change keeps the subnets but breaks open connections.
   * Default: `none`.
   */
  readonly nat?: NatStrategy;
  /**
   * Key of the zone of the single NAT gateway, for example `us-east-1a`. A change moves the gateway, which keeps its address.
   * Default: the first zone, so add zones after it or set this.
   */
  readonly natZone?: string;
  /**
   * Adds an IPv6 range from AWS: a /64 for each subnet, and an address for each new machine.
   * Private subnets reach the internet through an egress-only gateway, and cannot be reached from
   * it. Free of charge. It can be enabled later, but not disabled while machines have such
   * addresses. Default: false.
   */
  readonly ipv6?: boolean;
  /**
   * AWS services that are reached without leaving AWS' network and without NAT cost. `s3` includes
   * image layers in ECR. Free of charge. Default: none.
   */
  readonly gatewayEndpoints?: readonly GatewayService[];
  /**
   * AWS services that are reached at addresses of the network, by their usual names. Each endpoint
   * is in one subnet of every zone, private if there are any. It costs about $7.30 a month and zone,
   * and $0.01 per GB (list prices in us-east-1, November 2026). The whole network may use them, by
   * HTTPS. Default: none.
   */
  readonly interfaceEndpoints?: readonly InterfaceService[];
  /**
   * Records the network's traffic: addresses, ports, and whether it was let through. `true` keeps it for
   * a year in a log group of CloudWatch that is created. Default: none.
   */
  readonly flowLogs?: boolean | FlowLogsArgs;
  /**
   * Uses an existing network, and creates nothing in it. Exclusive with all arguments about a new
   * one. Default: a network is created.
   */
  readonly adopt?: AdoptedNetworkArgs;
  /** Ranges of pods. The network may not overlap them. Default: `["10.244.0.0/16"]`. */
  readonly podCidrs?: readonly string[];
  /** Ranges of services. The network may not overlap them. Default: `["10.96.0.0/12"]`. */
  readonly serviceCidrs?: readonly string[];
  /** Pulumi refuses to delete the VPC, its subnets and the addresses of its NAT. Default: false. */
  readonly protect?: boolean;
  /** Additional tags for everything in the network. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** An AWS service with gateway endpoints. */
export type GatewayService = (typeof GATEWAY_SERVICES)[number];

/** All of them. */
export const GATEWAY_SERVICES = ["s3", "dynamodb"] as const;

/**
 * An AWS service with interface endpoints, by the end of the endpoint service's name: that of
 * `com.amazonaws.us-east-1.ec2` is `ec2`.
 */
export type InterfaceService = (typeof INTERFACE_SERVICES)[number];

/**
 * The services that add-ons, images and machines of a cluster can need, and those that workloads
 * often do. Source: AWS PrivateLink guide, "AWS services that integrate with AWS PrivateLink".
 */
export const INTERFACE_SERVICES = [
  "autoscaling",
  "ec2",
  "ec2messages",
  "ecr.api",
  "ecr.dkr",
  "elasticfilesystem",
  "elasticloadbalancing",
  "events",
  "kms",
  "logs",
  "monitoring",
  "secretsmanager",
  "sns",
  "sqs",
  "ssm",
  "ssmmessages",
  "sts",
] as const;

/**
 * The destination of flow logs: a bucket, a log group that exists, or else a log group that is created, to
 * which `retentionDays` and `kmsKeyArn` belong.
 */
export interface FlowLogsArgs extends LogGroupArgs {
  /**
   * ARN of an S3 bucket that allows AWS to deliver logs; with `/folder/` at the end, of a folder in
   * it. About $0.25 per GB of records and the bucket's storage (list price in us-east-1, November
   * 2026).
   */
  readonly bucketArn?: pulumi.Input<string>;
  /**
   * ARN of a CloudWatch log group. A role that may write there is created, as for a group of this
   * package. About $0.50 per GB of records and their storage (list price in us-east-1, November 2026).
   * Default: a group is created, which the name of the network begins.
   */
  readonly logGroupArn?: pulumi.Input<string>;
  /**
   * Which traffic to record: `all`, or only what the firewall accepted or rejected. Default: `all`.
   */
  readonly traffic?: FlowLogTraffic;
  /**
   * Aggregation interval in seconds, 60 or 600. A shorter one makes more records and costs more.
   * Default: 600.
   */
  readonly intervalSeconds?: number;
}

/** Which traffic flow logs record. */
export type FlowLogTraffic = "all" | "accepted" | "rejected";

/**
 * An existing network. Machines in its public subnets need a route to an internet gateway, those in
 * its private subnets a route to NAT. DNS support and DNS host names must be enabled.
 */
export interface AdoptedNetworkArgs {
  /** Id of the VPC, for example `vpc-0123456789abcdef0`. */
  readonly vpcId: pulumi.Input<string>;
  /**
   * Ids of its public subnets, one per availability zone, by the zone's name, for example
   * `{us-east-1a: subnet-0123456789abcdef0}`.
   */
  readonly publicSubnetIds?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Ids of its private subnets, one per availability zone, by the zone's name. */
  readonly privateSubnetIds?: Readonly<Record<string, pulumi.Input<string>>>;
  /**
   * The public IPv4 addresses of the network's NAT, by the zone's name, for example
   * `{us-east-1a: 203.0.113.7}`. Several zones may share
   * one. The public load balancer of the Kubernetes API allows them. `{}` means that other
   * arguments allow these machines. Default: unknown, and refused if the machines could not reach
   * the API.
   */
  readonly natAddresses?: Readonly<Record<string, string>>;
  /**
   * The services that machines in it reach through VPC endpoints with private DNS. Only for a
   * network without internet access (`internetAccess: false`), whose missing endpoints a preview
   * refuses. Default: none.
   */
  readonly endpoints?: readonly (GatewayService | InterfaceService)[];
  /**
   * Whether this stack sets the subnets' tags for the cloud controller and the load balancer
   * controller: `kubernetes.io/cluster/<cluster>` = `shared`, and `kubernetes.io/role/elb` or, in
   * private ones, `kubernetes.io/role/internal-elb` = `1`.
   *
   * Use it only if no other stack declares the subnets' tags. An owner who declares them, in Pulumi
   * or Terraform, would remove these tags with each run. Then the owner must declare them. A
   * `Network` of this package already has the role tags, and takes the others in its `tags`. The
   * role tags stay when the cluster is deleted, because other clusters may use them. Default:
   * false.
   */
  readonly tagSubnets?: boolean;
}

/** The arguments that decide a network, without tags and protection. */
export type NetworkChoices = {
  readonly [
    Key in keyof Omit<NetworkArgs, "clusterName" | "protect" | "tags" | "podCidrs" | "serviceCidrs">
  ]: NetworkArgs[Key] | undefined;
} & {
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
};
