import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { failRun, orFailRun } from "../failRun";
import { areZonesInRegion } from "./areZonesInRegion";
import { privateZoneKeys } from "./checkNetwork";
import { ipv6Subnet } from "./cidr";
import { makeGatewayEndpoints, makeInterfaceEndpoints } from "./makeEndpoints";
import { makeFlowLogs } from "./makeFlowLogs";
import type { NetworkChoices } from "./networkArgs";
import { DEFAULT_NETWORK_CIDR } from "./networkArgs";
import {
  type NetworkParts,
  type NetworkScope,
  type NetworkSubnet,
  ROLE_TAGS,
  tagged,
} from "./networkScope";
import { planNatGateways } from "./planNatGateways";
import { firstZones, planSubnets, planZones, type PoolTier } from "./planSubnets";

const EVERYWHERE = "0.0.0.0/0";
const EVERYWHERE_IPV6 = "::/0";

type RouteTables = Readonly<Record<string, aws.ec2.RouteTable>>;

/** Creates a network from checked arguments. */
export function makeNetwork(scope: NetworkScope, choices: NetworkChoices): NetworkParts {
  const { name } = scope;
  const child = { parent: scope.parent };
  const { ipv6 = false, internetAccess = true, workerCidrBlock } = choices;
  const { cidrBlock = DEFAULT_NETWORK_CIDR } = choices;
  // In a preview, a region that is known late must not make the range unknown.
  const inRegion = areZonesInRegion(choices, scope.parent);
  const zoneKeys = planZones(choices).map(({ key }) => key);
  const vpc = new aws.ec2.Vpc(
    `${name}-vpc`,
    {
      cidrBlock: pulumi.runtime.isDryRun() ? cidrBlock : inRegion.apply(() => cidrBlock),
      // The machines' names in Kubernetes are the names that AWS' DNS gives them.
      enableDnsHostnames: true,
      enableDnsSupport: true,
      ...(ipv6 && { assignGeneratedIpv6CidrBlock: true }),
      tags: tagged(scope, ""),
    },
    { ...child, protect: scope.protect },
  );
  if (!ipv6) {
    refuseWithoutIpv6(scope.parent, vpc);
  }
  const available =
    choices.zones === undefined ? availableZones(scope.parent, zoneKeys.length) : undefined;
  const listed = (key: string) => available?.apply((names) => names[zoneKeys.indexOf(key)] ?? "");
  const open = internetAccess ? makePublicPart(scope, vpc, choices, listed) : undefined;
  const publicSubnets = open?.subnets ?? {};
  const hasPrivate = privateZoneKeys(choices).length > 0;
  const privateTables = Object.fromEntries(
    hasPrivate || workerCidrBlock !== undefined
      ? zoneKeys.map((key) => [key, makeRouteTable(scope, vpc, `private-${key}`)] as const)
      : [],
  );
  // If AWS' list has changed since a zone's first subnet was created, all of its subnets stay
  // together.
  const together = (first: Readonly<Record<string, NetworkSubnet>>) => (key: string) =>
    first[key]?.zone ?? listed(key);
  const privateSubnets = hasPrivate
    ? makeSubnets(scope, vpc, "private", choices, privateTables, together(publicSubnets))
    : {};
  const workerSubnets =
    workerCidrBlock === undefined
      ? {}
      : makeSubnets(
          scope,
          vpc,
          "worker",
          choices,
          privateTables,
          together({ ...privateSubnets, ...publicSubnets }),
        );
  const natAddresses =
    open === undefined ? {} : makeNatGateways(scope, choices, open, privateTables);
  if (ipv6 && internetAccess && Object.keys(privateTables).length > 0) {
    makeEgressOnlyGateway(scope, vpc, privateTables);
  }
  const tables = [...(open === undefined ? [] : [open.table]), ...Object.values(privateTables)];
  makeGatewayEndpoints(scope, vpc, choices, tables);
  const endpointSubnets = hasPrivate ? privateSubnets : publicSubnets;
  makeInterfaceEndpoints(scope, vpc, choices, Object.values(endpointSubnets));
  const { flowLogs = false } = choices;
  if (flowLogs !== false) {
    makeFlowLogs(scope, vpc.id, flowLogs === true ? {} : flowLogs);
  }
  return { vpcId: vpc.id, publicSubnets, privateSubnets, workerSubnets, natAddresses };
}

/**
 * In a preview, refuses to take IPv6 from a network that has it. AWS takes no range from a network while
 * subnets have a part of it, and the AWS provider leaves the subnets' parts when they are left out. So an
 * update would stop half-way.
 */
function refuseWithoutIpv6(parent: pulumi.Resource, vpc: aws.ec2.Vpc): void {
  if (!pulumi.runtime.isDryRun()) {
    return;
  }
  vpc.ipv6CidrBlock.apply(async (block: string | undefined) => {
    if (block !== undefined && block !== "") {
      const problem = `the network has the IPv6 range ${block}, and AWS can't take it away while subnets have a part of it: leave network.ipv6 set to true, or make another cluster without it`;
      await failRun(problem, parent);
    }
  });
}

interface PublicPart {
  readonly table: aws.ec2.RouteTable;
  readonly subnets: Readonly<Record<string, NetworkSubnet>>;
  readonly toInternet: aws.ec2.Route;
}

function makePublicPart(
  scope: NetworkScope,
  vpc: aws.ec2.Vpc,
  choices: NetworkChoices,
  zoneOf: (key: string) => pulumi.Output<string> | undefined,
): PublicPart {
  const { name } = scope;
  const child = { parent: scope.parent };
  const gateway = new aws.ec2.InternetGateway(
    `${name}-internet-gateway`,
    { vpcId: vpc.id, tags: tagged(scope, "internet-gateway") },
    child,
  );
  const table = makeRouteTable(scope, vpc, "public");
  const toInternet = new aws.ec2.Route(
    `${name}-public-internet`,
    { routeTableId: table.id, destinationCidrBlock: EVERYWHERE, gatewayId: gateway.id },
    child,
  );
  if (choices.ipv6 === true) {
    new aws.ec2.Route(
      `${name}-public-internet-ipv6`,
      { routeTableId: table.id, destinationIpv6CidrBlock: EVERYWHERE_IPV6, gatewayId: gateway.id },
      child,
    );
  }
  const tables = Object.fromEntries(planZones(choices).map(({ key }) => [key, table]));
  return { table, subnets: makeSubnets(scope, vpc, "public", choices, tables, zoneOf), toInternet };
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
  tier: PoolTier,
  choices: NetworkChoices,
  routeTables: RouteTables,
  zoneOf: (key: string) => pulumi.Output<string> | undefined,
): Record<string, NetworkSubnet> {
  const subnets: Record<string, NetworkSubnet> = {};
  const { workerCidrBlock } = choices;
  const isWorker = tier === "worker" && workerCidrBlock !== undefined;
  const cidrBlock = isWorker ? workerCidrBlock : (choices.cidrBlock ?? DEFAULT_NETWORK_CIDR);
  const range = isWorker ? makeSecondRange(scope, vpc, workerCidrBlock) : undefined;
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
        // Controllers place load balancers in tagged subnets, and take one per zone.
        tags: tagged(scope, suffix, tier === "worker" ? {} : { [ROLE_TAGS[tier]]: "1" }),
      },
      {
        parent: scope.parent,
        protect: scope.protect,
        ...(range !== undefined && { dependsOn: range }),
        // A zone that AWS adds before the counted ones must not move machines.
        ignoreChanges: plan.zone === undefined ? ["availabilityZone"] : [],
      },
    );
    new aws.ec2.RouteTableAssociation(
      `${scope.name}-${suffix}`,
      { subnetId: subnet.id, routeTableId: ofZone(plan.key, routeTables, "route table").id },
      { parent: scope.parent },
    );
    subnets[plan.key] = { id: subnet.id, zone: subnet.availabilityZone };
  }
  return subnets;
}

/** AWS makes subnets only in ranges that the network already has. */
function makeSecondRange(scope: NetworkScope, vpc: aws.ec2.Vpc, cidrBlock: string) {
  return new aws.ec2.VpcIpv4CidrBlockAssociation(
    `${scope.name}-worker`,
    { vpcId: vpc.id, cidrBlock },
    { parent: scope.parent },
  );
}

/** The public addresses of the NAT gateways, by the keys of the zones that use them. */
function makeNatGateways(
  scope: NetworkScope,
  choices: NetworkChoices,
  { subnets: publicSubnets, toInternet }: PublicPart,
  privateTables: RouteTables,
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
        subnetId: ofZone(zoneKey, publicSubnets, "public subnet").id,
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
          routeTableId: ofZone(served, privateTables, "route table").id,
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

/** The sorted names of the region's zones, without local zones. */
function availableZones(parent: pulumi.Resource, count: number): pulumi.Output<string[]> {
  const listing = aws.getAvailabilityZonesOutput(
    {
      state: "available",
      filters: [{ name: "opt-in-status", values: ["opt-in-not-required"] }],
    },
    { parent },
  );
  return listing.names.apply((names) => orFailRun(parent, () => firstZones(names, count)));
}

function ofZone<T>(zoneKey: string, values: Readonly<Record<string, T>>, what: string): T {
  const value = values[zoneKey];
  if (value === undefined) {
    throw new Error(`the zone "${zoneKey}" has no ${what}`);
  }
  return value;
}
