import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { NetworkChoices } from "./checkNetwork";
import { ipv6Subnet } from "./cidr";
import { makeFlowLogs } from "./makeFlowLogs";
import { DEFAULT_NETWORK_CIDR } from "./networkArgs";
import {
  type NetworkParts,
  type NetworkScope,
  type NetworkSubnet,
  ROLE_TAGS,
  tagged,
} from "./networkScope";
import { planNatGateways } from "./planNatGateways";
import { firstZones, planSubnets, planZones, type SubnetTier } from "./planSubnets";

const EVERYWHERE = "0.0.0.0/0";
const EVERYWHERE_IPV6 = "::/0";

type RouteTables = Readonly<Record<string, aws.ec2.RouteTable>>;

/** Creates a network from checked arguments. */
export function makeNetwork(scope: NetworkScope, choices: NetworkChoices): NetworkParts {
  const { name } = scope;
  const child = { parent: scope.parent };
  const { nat = "none", ipv6 = false } = choices;
  const zoneKeys = planZones(choices).map(({ key }) => key);
  const vpc = new aws.ec2.Vpc(
    `${name}-vpc`,
    {
      cidrBlock: choices.cidrBlock ?? DEFAULT_NETWORK_CIDR,
      // The machines' names in Kubernetes are the names that AWS' DNS gives them.
      enableDnsHostnames: true,
      enableDnsSupport: true,
      ...(ipv6 && { assignGeneratedIpv6CidrBlock: true }),
      tags: tagged(scope, ""),
    },
    { ...child, protect: scope.protect },
  );
  const gateway = new aws.ec2.InternetGateway(
    `${name}-internet-gateway`,
    { vpcId: vpc.id, tags: tagged(scope, "internet-gateway") },
    child,
  );

  const publicTable = makeRouteTable(scope, vpc, "public");
  const toInternet = new aws.ec2.Route(
    `${name}-public-internet`,
    { routeTableId: publicTable.id, destinationCidrBlock: EVERYWHERE, gatewayId: gateway.id },
    child,
  );
  if (ipv6) {
    new aws.ec2.Route(
      `${name}-public-internet-ipv6`,
      {
        routeTableId: publicTable.id,
        destinationIpv6CidrBlock: EVERYWHERE_IPV6,
        gatewayId: gateway.id,
      },
      child,
    );
  }
  const publicTables = Object.fromEntries(zoneKeys.map((key) => [key, publicTable]));
  const available =
    choices.zones === undefined ? availableZones(scope.parent, zoneKeys.length) : undefined;
  const publicSubnets = makeSubnets(scope, vpc, "public", choices, publicTables, (key) =>
    available?.apply((names) => names[zoneKeys.indexOf(key)] ?? ""),
  );

  const hasPrivate = choices.privateSubnets ?? nat !== "none";
  const privateTables = Object.fromEntries(
    hasPrivate
      ? zoneKeys.map((key) => [key, makeRouteTable(scope, vpc, `private-${key}`)] as const)
      : [],
  );
  const privateSubnets = hasPrivate
    ? makeSubnets(
        scope,
        vpc,
        "private",
        choices,
        privateTables,
        // If AWS' list has changed since the public subnet was created, both stay together.
        (key) => subnetOf(publicSubnets, key).zone,
      )
    : {};
  const natAddresses = makeNatGateways(scope, choices, publicSubnets, privateTables, toInternet);
  if (ipv6 && hasPrivate) {
    makeEgressOnlyGateway(scope, vpc, privateTables);
  }
  makeGatewayEndpoints(scope, vpc, choices, [publicTable, ...Object.values(privateTables)]);
  if (choices.flowLogs !== undefined) {
    makeFlowLogs(scope, vpc.id, choices.flowLogs);
  }
  return { vpcId: vpc.id, publicSubnets, privateSubnets, natAddresses };
}

function makeRouteTable(scope: NetworkScope, vpc: aws.ec2.Vpc, suffix: string) {
  return new aws.ec2.RouteTable(
    `${scope.name}-${suffix}`,
    { vpcId: vpc.id, tags: tagged(scope, suffix) },
    { parent: scope.parent },
  );
}

function makeSubnets(
  scope: NetworkScope,
  vpc: aws.ec2.Vpc,
  tier: SubnetTier,
  choices: NetworkChoices,
  routeTables: RouteTables,
  zoneOf: (key: string) => pulumi.Output<string> | undefined,
): Record<string, NetworkSubnet> {
  const subnets: Record<string, NetworkSubnet> = {};
  const cidrBlock = choices.cidrBlock ?? DEFAULT_NETWORK_CIDR;
  for (const plan of planSubnets(cidrBlock, planZones(choices), tier)) {
    const suffix = `${tier}-${plan.key}`;
    const subnet = new aws.ec2.Subnet(
      `${scope.name}-${suffix}`,
      {
        vpcId: vpc.id,
        availabilityZone: plan.zone ?? pulumi.output(zoneOf(plan.key)),
        cidrBlock: plan.cidrBlock,
        ...(choices.ipv6 === true && {
          ipv6CidrBlock: vpc.ipv6CidrBlock.apply((block) => ipv6Subnet(block, plan.slot)),
          assignIpv6AddressOnCreation: true,
        }),
        mapPublicIpOnLaunch: tier === "public",
        // Without it, a machine's name depends on a default of the AWS account.
        privateDnsHostnameTypeOnLaunch: "ip-name",
        tags: tagged(scope, suffix, { [ROLE_TAGS[tier]]: "1" }),
      },
      {
        parent: scope.parent,
        protect: scope.protect,
        // A zone that AWS adds before the counted ones must not move machines.
        ignoreChanges: plan.zone === undefined ? ["availabilityZone"] : [],
      },
    );
    new aws.ec2.RouteTableAssociation(
      `${scope.name}-${suffix}`,
      { subnetId: subnet.id, routeTableId: tableOf(routeTables, plan.key).id },
      { parent: scope.parent },
    );
    subnets[plan.key] = { id: subnet.id, zone: subnet.availabilityZone };
  }
  return subnets;
}

/** The public addresses of the NAT gateways, by the keys of the zones that use them. */
function makeNatGateways(
  scope: NetworkScope,
  choices: NetworkChoices,
  publicSubnets: Readonly<Record<string, NetworkSubnet>>,
  privateTables: RouteTables,
  toInternet: aws.ec2.Route,
): Record<string, pulumi.Output<string>> {
  const { name } = scope;
  const child = { parent: scope.parent };
  const addresses: Record<string, pulumi.Output<string>> = {};
  const zoneKeys = planZones(choices).map(({ key }) => key);
  const plans = planNatGateways(zoneKeys, choices.nat ?? "none", choices.natZone);
  for (const { suffix, zoneKey, serves } of plans) {
    const address = new aws.ec2.Eip(
      `${name}-${suffix}`,
      { domain: "vpc", tags: tagged(scope, suffix) },
      // Other firewalls allow the cluster by this address.
      { ...child, protect: scope.protect },
    );
    const gateway = new aws.ec2.NatGateway(
      `${name}-${suffix}`,
      {
        allocationId: address.id,
        subnetId: subnetOf(publicSubnets, zoneKey).id,
        tags: tagged(scope, suffix),
      },
      // It works only while a route to the internet exists. An address serves one gateway at a
      // time, so a moved gateway is deleted before it is recreated.
      { ...child, dependsOn: toInternet, deleteBeforeReplace: true },
    );
    for (const served of serves) {
      new aws.ec2.Route(
        `${name}-private-${served}-internet`,
        {
          routeTableId: tableOf(privateTables, served).id,
          destinationCidrBlock: EVERYWHERE,
          natGatewayId: gateway.id,
        },
        child,
      );
      addresses[served] = address.publicIp;
    }
  }
  return addresses;
}

function makeEgressOnlyGateway(scope: NetworkScope, vpc: aws.ec2.Vpc, privateTables: RouteTables) {
  const suffix = "egress-only-gateway";
  const gateway = new aws.ec2.EgressOnlyInternetGateway(
    `${scope.name}-${suffix}`,
    { vpcId: vpc.id, tags: tagged(scope, suffix) },
    { parent: scope.parent },
  );
  for (const [key, table] of Object.entries(privateTables)) {
    new aws.ec2.Route(
      `${scope.name}-private-${key}-internet-ipv6`,
      {
        routeTableId: table.id,
        destinationIpv6CidrBlock: EVERYWHERE_IPV6,
        egressOnlyGatewayId: gateway.id,
      },
      { parent: scope.parent },
    );
  }
}

function makeGatewayEndpoints(
  scope: NetworkScope,
  vpc: aws.ec2.Vpc,
  { gatewayEndpoints = [] }: NetworkChoices,
  routeTables: readonly aws.ec2.RouteTable[],
) {
  const child = { parent: scope.parent };
  for (const service of gatewayEndpoints) {
    const { region } = aws.getRegionOutput({}, child);
    new aws.ec2.VpcEndpoint(
      `${scope.name}-${service}`,
      {
        vpcId: vpc.id,
        vpcEndpointType: "Gateway",
        serviceName: region.apply((where) => `com.amazonaws.${where}.${service}`),
        routeTableIds: routeTables.map(({ id }) => id),
        tags: tagged(scope, service),
      },
      child,
    );
  }
}

/** The sorted names of the region's zones, without local zones. */
function availableZones(parent: pulumi.Resource, count: number): pulumi.Output<string[]> {
  const listing = aws.getAvailabilityZonesOutput(
    {
      state: "available",
      filters: [{ name: "opt-in-status", values: ["opt-in-not-required"] }],
    },
    { parent },
  );
  return listing.names.apply((names) => firstZones(names, count));
}

function tableOf(tables: RouteTables, zoneKey: string): aws.ec2.RouteTable {
  return present(tables[zoneKey], "route table", zoneKey);
}

function subnetOf(
  subnets: Readonly<Record<string, NetworkSubnet>>,
  zoneKey: string,
): NetworkSubnet {
  return present(subnets[zoneKey], "public subnet", zoneKey);
}

function present<T>(value: T | undefined, what: string, zoneKey: string): T {
  if (value === undefined) {
    throw new Error(`the zone "${zoneKey}" has no ${what}`);
  }
  return value;
}
