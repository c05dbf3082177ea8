import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { NetworkChoices } from "./networkArgs";
import { DEFAULT_NETWORK_CIDR } from "./networkArgs";
import { type NetworkScope, type NetworkSubnet, tagged } from "./networkScope";

/** Adds routes to AWS services to a network's route tables. */
export function makeGatewayEndpoints(
  scope: NetworkScope,
  vpc: aws.ec2.Vpc,
  { gatewayEndpoints = [] }: NetworkChoices,
  routeTables: readonly aws.ec2.RouteTable[],
): void {
  for (const service of gatewayEndpoints) {
    new aws.ec2.VpcEndpoint(
      `${scope.name}-${service}`,
      {
        vpcId: vpc.id,
        vpcEndpointType: "Gateway",
        serviceName: serviceName(scope, service),
        routeTableIds: routeTables.map(({ id }) => id),
        tags: tagged(scope, service),
      },
      { parent: scope.parent },
    );
  }
}

/**
 * Gives AWS services addresses in a network, one per subnet. Everything in the network may use them:
 * the services themselves check who calls.
 *
 * @param subnets one per zone, as AWS allows an endpoint no second one
 */
export function makeInterfaceEndpoints(
  scope: NetworkScope,
  vpc: aws.ec2.Vpc,
  choices: NetworkChoices,
  subnets: readonly NetworkSubnet[],
): void {
  const { interfaceEndpoints = [] } = choices;
  if (interfaceEndpoints.length === 0) {
    return;
  }
  const child = { parent: scope.parent };
  const suffix = "endpoints";
  const group = new aws.ec2.SecurityGroup(
    `${scope.name}-${suffix}`,
    {
      vpcId: vpc.id,
      description: "Endpoints of AWS services: HTTPS from the network",
      tags: tagged(scope, suffix),
    },
    child,
  );
  for (const cidrIpv4 of rangesOfNetwork(choices)) {
    const name = `${suffix}-from-${cidrIpv4.replace("/", "-")}`;
    new aws.vpc.SecurityGroupIngressRule(
      `${scope.name}-${name}`,
      {
        securityGroupId: group.id,
        ipProtocol: "tcp",
        fromPort: 443,
        toPort: 443,
        cidrIpv4,
        description: "AWS services: machines and pods",
        tags: tagged(scope, name),
      },
      child,
    );
  }
  for (const service of interfaceEndpoints) {
    new aws.ec2.VpcEndpoint(
      `${scope.name}-${service}`,
      {
        vpcId: vpc.id,
        vpcEndpointType: "Interface",
        serviceName: serviceName(scope, service),
        subnetIds: subnets.map(({ id }) => id),
        securityGroupIds: [group.id],
        // Otherwise the service's name still leads to its public addresses.
        privateDnsEnabled: true,
        tags: tagged(scope, service),
      },
      child,
    );
  }
}

function rangesOfNetwork({ cidrBlock, workerCidrBlock }: NetworkChoices): string[] {
  return [
    cidrBlock ?? DEFAULT_NETWORK_CIDR,
    ...(workerCidrBlock === undefined ? [] : [workerCidrBlock]),
  ];
}

function serviceName({ parent }: NetworkScope, service: string): pulumi.Output<string> {
  return aws
    .getRegionOutput({}, { parent })
    .region.apply((region) => `com.amazonaws.${region}.${service}`);
}
