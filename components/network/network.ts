import * as pulumi from "@pulumi/pulumi";
import { DEFAULT_POD_CIDRS, DEFAULT_SERVICE_CIDRS } from "../../provider/config";
import { misspeltArguments, refuse } from "../problems";
import { adoptNetwork } from "./adoptNetwork";
import { checkNetwork } from "./checkNetwork";
import { makeNetwork } from "./makeNetwork";
import type { NetworkArgs } from "./networkArgs";
import type { NetworkSubnet } from "./networkScope";

const TYPE = "talos-aws:index:Network";

/**
 * A VPC with an internet gateway and a public subnet in each zone; optionally private subnets, NAT,
 * IPv6, a second range, endpoints and flow logs. Or a VPC without internet. Or an existing network.
 * Only NAT, interface endpoints and flow logs cost money. Public addresses of machines in it cost about $3.65 a month each (list price, November 2026).
 *
 * @throws pulumi.InputPropertiesError for invalid zones, ranges or choices
 */
export class Network extends pulumi.ComponentResource {
  /** Id of the VPC. */
  readonly vpcId: pulumi.Output<string>;
  /** The public subnets by zone key: the zone's name, or with `zoneCount` its number. */
  readonly publicSubnets: Readonly<Record<string, NetworkSubnet>>;
  /** Ids of the public subnets by zone key. */
  readonly publicSubnetIds: pulumi.Output<Record<string, string>>;
  /** The private subnets by zone key; none by default. */
  readonly privateSubnets: Readonly<Record<string, NetworkSubnet>>;
  /** Ids of the private subnets by zone key. */
  readonly privateSubnetIds: pulumi.Output<Record<string, string>>;
  /** The private subnets in `workerCidrBlock` by zone key; none by default. */
  readonly workerSubnets: Readonly<Record<string, NetworkSubnet>>;
  /** Ids of the subnets in `workerCidrBlock` by zone key. */
  readonly workerSubnetIds: pulumi.Output<Record<string, string>>;
  /** The availability zones of its subnets. */
  readonly zones: pulumi.Output<string[]>;
  /**
   * The public addresses of machines in private subnets, as seen from outside, by zone key; none
   * without NAT.
   */
  readonly natAddresses: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: NetworkArgs, opts?: pulumi.ComponentResourceOptions) {
    const { clusterName, protect = false, tags = {}, ...given } = args;
    const choices = {
      ...given,
      podCidrs: args.podCidrs ?? DEFAULT_POD_CIDRS,
      serviceCidrs: args.serviceCidrs ?? DEFAULT_SERVICE_CIDRS,
    };
    refuse(`the network "${name}"`, [...misspeltArguments(TYPE, args), ...checkNetwork(choices)]);
    super(TYPE, name, {}, opts);

    const scope = { name, parent: this, clusterName, protect, tags };
    const parts =
      args.adopt === undefined
        ? makeNetwork(scope, choices)
        : adoptNetwork(scope, args.adopt, choices);
    this.vpcId = parts.vpcId;
    this.publicSubnets = parts.publicSubnets;
    this.publicSubnetIds = idsOf(parts.publicSubnets);
    this.privateSubnets = parts.privateSubnets;
    this.privateSubnetIds = idsOf(parts.privateSubnets);
    this.workerSubnets = parts.workerSubnets;
    this.workerSubnetIds = idsOf(parts.workerSubnets);
    this.zones = zonesOf([parts.publicSubnets, parts.privateSubnets]);
    this.natAddresses = pulumi.output(parts.natAddresses);
    this.registerOutputs({
      vpcId: this.vpcId,
      publicSubnetIds: this.publicSubnetIds,
      privateSubnetIds: this.privateSubnetIds,
      workerSubnetIds: this.workerSubnetIds,
      natAddresses: this.natAddresses,
    });
  }
}

function zonesOf(
  tiers: readonly Readonly<Record<string, NetworkSubnet>>[],
): pulumi.Output<string[]> {
  return pulumi
    .all(tiers.flatMap((subnets) => Object.values(subnets).map(({ zone }) => zone)))
    .apply((zones) => [...new Set(zones)].sort());
}

function idsOf(
  subnets: Readonly<Record<string, NetworkSubnet>>,
): pulumi.Output<Record<string, string>> {
  return pulumi.output(
    Object.fromEntries(Object.entries(subnets).map(([key, { id }]) => [key, id])),
  );
}
