import {
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  DescribeNetworkInterfacesCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcsCommand,
  type Filter,
} from "@aws-sdk/client-ec2";
import type { AwsClients } from "../awsClients";
import type { FunctionKind } from "../functionKind";
import { filtersProperty, toFilters } from "./search";

type Ids = readonly (string | undefined)[];

/** Functions that find objects of EC2 by filters, and return their ids. */
export const ec2Lists: readonly FunctionKind[] = [
  lists("aws:ec2/getVpcs:getVpcs", async ({ ec2 }, Filters) =>
    (await ec2.send(new DescribeVpcsCommand({ Filters }))).Vpcs?.map(({ VpcId }) => VpcId),
  ),
  lists("aws:ec2/getSubnets:getSubnets", async ({ ec2 }, Filters) =>
    (await ec2.send(new DescribeSubnetsCommand({ Filters }))).Subnets?.map((each) => each.SubnetId),
  ),
  lists("aws:ec2/getRouteTables:getRouteTables", async ({ ec2 }, Filters) =>
    (await ec2.send(new DescribeRouteTablesCommand({ Filters }))).RouteTables?.map(
      ({ RouteTableId }) => RouteTableId,
    ),
  ),
  lists("aws:ec2/getSecurityGroups:getSecurityGroups", async ({ ec2 }, Filters) =>
    (await ec2.send(new DescribeSecurityGroupsCommand({ Filters }))).SecurityGroups?.map(
      ({ GroupId }) => GroupId,
    ),
  ),
  lists("aws:vpc/getSecurityGroupRules:getSecurityGroupRules", async ({ ec2 }, Filters) =>
    (await ec2.send(new DescribeSecurityGroupRulesCommand({ Filters }))).SecurityGroupRules?.map(
      ({ SecurityGroupRuleId }) => SecurityGroupRuleId,
    ),
  ),
  lists("aws:ec2/getNetworkInterfaces:getNetworkInterfaces", async ({ ec2 }, Filters) =>
    (await ec2.send(new DescribeNetworkInterfacesCommand({ Filters }))).NetworkInterfaces?.map(
      ({ NetworkInterfaceId }) => NetworkInterfaceId,
    ),
  ),
  lists("aws:ec2/getNatGateways:getNatGateways", async ({ ec2 }, Filter) =>
    (await ec2.send(new DescribeNatGatewaysCommand({ Filter }))).NatGateways?.map(
      ({ NatGatewayId }) => NatGatewayId,
    ),
  ),
  lists("aws:ebs/getEbsVolumes:getEbsVolumes", async ({ ec2 }, Filters) =>
    (await ec2.send(new DescribeVolumesCommand({ Filters }))).Volumes?.map((each) => each.VolumeId),
  ),
  lists(
    "aws:ec2/getEips:getEips",
    async ({ ec2 }, Filters) =>
      (await ec2.send(new DescribeAddressesCommand({ Filters }))).Addresses?.map(
        ({ AllocationId }) => AllocationId,
      ),
    "allocationIds",
  ),
];

function lists(
  token: string,
  find: (aws: AwsClients, filters: Filter[]) => Promise<Ids | undefined>,
  output = "ids",
): FunctionKind {
  return {
    token,
    inputs: { filters: filtersProperty, region: { type: "string" } },
    invoke: async ({ aws, region }, inputs) => {
      const ids = (await find(aws, toFilters(inputs))) ?? [];
      return { id: region, region, [output]: ids.filter((id) => id !== undefined) };
    },
  };
}
