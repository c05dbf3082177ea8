import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { checkNetwork, firstZones, planSubnets, planZones } from "./planSubnets";
import { refuse } from "./problems";
import { clusterTag } from "./tags";

/** The range a network has when none is given. */
export const DEFAULT_NETWORK_CIDR = "10.0.0.0/16";
/** The range Talos gives to pods when it is told none. */
export const DEFAULT_POD_CIDRS: readonly string[] = ["10.244.0.0/16"];
/** The range Talos gives to services when it is told none. */
export const DEFAULT_SERVICE_CIDRS: readonly string[] = ["10.96.0.0/12"];

export interface NetworkArgs {
  /** Name of the cluster, for the tag by which controllers in the cluster find its network. */
  readonly clusterName: pulumi.Input<string>;
  /**
   * The network's IPv4 range, /16 to /24. It splits into 16 equal slots: for each zone, by the
   * letter its name ends in, one for public subnets and one kept for private ones. Fixed once
   * machines run in it: another range means another cluster. Default: `10.0.0.0/16`.
   */
  readonly cidrBlock?: string;
  /**
   * The availability zones to span, 1 to 6, for example `["us-east-1a", "us-east-1b"]`. One zone
   * is the cheapest, three survive the loss of one. Adding or removing a zone leaves the subnets
   * of the others alone. Exclusive with `zoneCount`.
   */
  readonly zones?: readonly string[];
  /**
   * How many zones to span, 1 to 6: the first by name that are available when the network is made;
   * each subnet stays in the zone it was made in. Subnets are keyed `1`, `2`, … then, so going
   * over to `zones` later replaces them. Exclusive with `zones`.
   */
  readonly zoneCount?: number;
  /** Ranges of pods, which the network may not overlap. Default: `["10.244.0.0/16"]`. */
  readonly podCidrs?: readonly string[];
  /** Ranges of services, which the network may not overlap. Default: `["10.96.0.0/12"]`. */
  readonly serviceCidrs?: readonly string[];
  /** Pulumi refuses to delete the VPC and its subnets. Default: false. */
  readonly protect?: boolean;
  /** More tags for everything in the network. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** A subnet of a network. */
export interface NetworkSubnet {
  readonly id: pulumi.Output<string>;
  /** The availability zone it lies in. */
  readonly zone: pulumi.Output<string>;
}

/**
 * A VPC with an internet gateway and, in each zone, a public subnet. Costs nothing by itself; the
 * public addresses of machines in it cost about $3.65 a month each (list price, November 2026).
 *
 * @throws pulumi.InputPropertiesError for zones or ranges that can't be
 */
export class Network extends pulumi.ComponentResource {
  public readonly vpcId: pulumi.Output<string>;
  /** The public subnets by zone key: the zone's name, or with `zoneCount` its number. */
  public readonly publicSubnets: Readonly<Record<string, NetworkSubnet>>;
  /** Ids of the public subnets by zone key. */
  public readonly publicSubnetIds: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: NetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    const choices = {
      cidrBlock: args.cidrBlock ?? DEFAULT_NETWORK_CIDR,
      zones: args.zones,
      zoneCount: args.zoneCount,
      podCidrs: args.podCidrs ?? DEFAULT_POD_CIDRS,
      serviceCidrs: args.serviceCidrs ?? DEFAULT_SERVICE_CIDRS,
    };
    refuse(`the network "${name}"`, checkNetwork(choices));
    super("talos-aws:index:Network", name, {}, opts);

    const child = { parent: this };
    const kept = { ...child, protect: args.protect ?? false };
    const tagged = (suffix: string, more: Record<string, string> = {}) =>
      pulumi.all([args.clusterName, args.tags ?? {}]).apply(([clusterName, tags]) => ({
        Name: suffix === "" ? name : `${name}-${suffix}`,
        [clusterTag(clusterName)]: "owned",
        ...more,
        ...tags,
      }));

    const vpc = new aws.ec2.Vpc(
      `${name}-vpc`,
      {
        cidrBlock: choices.cidrBlock,
        // The machines' names in Kubernetes are the names that AWS' DNS gives them.
        enableDnsHostnames: true,
        enableDnsSupport: true,
        tags: tagged(""),
      },
      kept,
    );
    const gateway = new aws.ec2.InternetGateway(
      `${name}-internet-gateway`,
      { vpcId: vpc.id, tags: tagged("internet-gateway") },
      child,
    );
    const routeTable = new aws.ec2.RouteTable(
      `${name}-public`,
      { vpcId: vpc.id, tags: tagged("public") },
      child,
    );
    new aws.ec2.Route(
      `${name}-public-internet`,
      { routeTableId: routeTable.id, destinationCidrBlock: "0.0.0.0/0", gatewayId: gateway.id },
      child,
    );

    const zones = planZones(choices);
    const available = choices.zones === undefined ? this.availableZones(zones.length) : undefined;
    const subnets: Record<string, NetworkSubnet> = {};
    for (const [index, plan] of planSubnets(choices.cidrBlock, zones, "public").entries()) {
      const zone = plan.zone ?? available?.apply((names) => names[index] ?? "");
      const subnet = new aws.ec2.Subnet(
        `${name}-public-${plan.key}`,
        {
          vpcId: vpc.id,
          availabilityZone: zone,
          cidrBlock: plan.cidrBlock,
          mapPublicIpOnLaunch: true,
          // Without it a machine's name depends on a default of the AWS account.
          privateDnsHostnameTypeOnLaunch: "ip-name",
          tags: tagged(`public-${plan.key}`, { "kubernetes.io/role/elb": "1" }),
        },
        // A zone that AWS adds before the counted ones must not move machines.
        { ...kept, ignoreChanges: plan.zone === undefined ? ["availabilityZone"] : [] },
      );
      new aws.ec2.RouteTableAssociation(
        `${name}-public-${plan.key}`,
        { subnetId: subnet.id, routeTableId: routeTable.id },
        child,
      );
      subnets[plan.key] = { id: subnet.id, zone: subnet.availabilityZone };
    }

    this.vpcId = vpc.id;
    this.publicSubnets = subnets;
    this.publicSubnetIds = pulumi.output(
      Object.fromEntries(Object.entries(subnets).map(([key, { id }]) => [key, id])),
    );
    this.registerOutputs({ vpcId: this.vpcId, publicSubnetIds: this.publicSubnetIds });
  }

  /** The names of the region's zones in order, local zones left out. */
  private availableZones(count: number): pulumi.Output<string[]> {
    const listing = aws.getAvailabilityZonesOutput(
      {
        state: "available",
        filters: [{ name: "opt-in-status", values: ["opt-in-not-required"] }],
      },
      { parent: this },
    );
    return listing.names.apply((names) => firstZones(names, count));
  }
}
