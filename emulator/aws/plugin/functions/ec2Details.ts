import {
  DescribeAddressesCommand,
  DescribeInternetGatewaysCommand,
  DescribeLaunchTemplatesCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupRulesCommand,
  DescribeVpcEndpointsCommand,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import type { FunctionKind } from "../functionKind";
import { fromTagList } from "../tags";
import { filtersProperty, theOnly, toFilters } from "./search";

const TEXT = { type: "string" } as const;

/** `aws.ec2.getInternetGateway`, by filters. */
const getInternetGateway: FunctionKind = {
  token: "aws:ec2/getInternetGateway:getInternetGateway",
  inputs: { filters: filtersProperty, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const { InternetGateways } = await aws.ec2.send(
      new DescribeInternetGatewaysCommand({ Filters: toFilters(inputs) }),
    );
    const live = theOnly("EC2 Internet Gateway", InternetGateways);
    return {
      id: live.InternetGatewayId ?? "",
      internetGatewayId: live.InternetGatewayId ?? "",
      attachments: (live.Attachments ?? []).map(({ VpcId, State }) => ({
        vpcId: VpcId ?? "",
        state: State ?? "",
      })),
      tags: fromTagList(live.Tags),
    };
  },
};

/** `aws.ec2.getElasticIp`, by its allocation. */
const getElasticIp: FunctionKind = {
  token: "aws:ec2/getElasticIp:getElasticIp",
  inputs: { id: { ...TEXT, required: true }, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const id = inputs.requiredString("id");
    const found = await unlessMissing(["InvalidAllocationID.NotFound"], () =>
      aws.ec2.send(new DescribeAddressesCommand({ AllocationIds: [id] })),
    );
    const live = theOnly("EC2 EIP", found?.Addresses);
    return {
      id,
      publicIp: live.PublicIp ?? "",
      associationId: live.AssociationId ?? "",
      instanceId: live.InstanceId ?? "",
      tags: fromTagList(live.Tags),
    };
  },
};

/** `aws.ec2.getLaunchTemplate`, by its name, without its content. */
const getLaunchTemplate: FunctionKind = {
  token: "aws:ec2/getLaunchTemplate:getLaunchTemplate",
  inputs: { name: { ...TEXT, required: true }, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const name = inputs.requiredString("name");
    const found = await unlessMissing(["InvalidLaunchTemplateName.NotFoundException"], () =>
      aws.ec2.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: [name] })),
    );
    const live = theOnly("EC2 Launch Template", found?.LaunchTemplates);
    return { id: live.LaunchTemplateId ?? "", name, tags: fromTagList(live.Tags) };
  },
};

/** `aws.ec2.getVpcEndpoint`, by its service. */
const getVpcEndpoint: FunctionKind = {
  token: "aws:ec2/getVpcEndpoint:getVpcEndpoint",
  inputs: { vpcId: TEXT, serviceName: TEXT, filters: filtersProperty, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const given = [
      { Name: "vpc-id", Values: [inputs.string("vpcId") ?? ""] },
      { Name: "service-name", Values: [inputs.string("serviceName") ?? ""] },
    ].filter(({ Values }) => Values[0] !== "");
    const { VpcEndpoints } = await aws.ec2.send(
      new DescribeVpcEndpointsCommand({ Filters: [...given, ...toFilters(inputs)] }),
    );
    const live = theOnly("EC2 VPC Endpoint", VpcEndpoints);
    return { id: live.VpcEndpointId ?? "", vpcId: live.VpcId ?? "", tags: fromTagList(live.Tags) };
  },
};

/** `aws.ec2.getRouteTable`, by its id. */
const getRouteTable: FunctionKind = {
  token: "aws:ec2/getRouteTable:getRouteTable",
  inputs: { routeTableId: { ...TEXT, required: true }, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const id = inputs.requiredString("routeTableId");
    const found = await unlessMissing(["InvalidRouteTableID.NotFound"], () =>
      aws.ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] })),
    );
    const live = theOnly("EC2 Route Table", found?.RouteTables);
    return {
      id,
      routeTableId: id,
      vpcId: live.VpcId ?? "",
      routes: (live.Routes ?? []).map((each) => ({
        cidrBlock: each.DestinationCidrBlock ?? "",
        ipv6CidrBlock: each.DestinationIpv6CidrBlock ?? "",
        gatewayId: each.GatewayId ?? "",
        natGatewayId: each.NatGatewayId ?? "",
      })),
      associations: (live.Associations ?? []).map((each) => ({
        routeTableAssociationId: each.RouteTableAssociationId ?? "",
        routeTableId: id,
        subnetId: each.SubnetId ?? "",
        gatewayId: each.GatewayId ?? "",
        main: each.Main ?? false,
      })),
      tags: fromTagList(live.Tags),
    };
  },
};

/** `aws.vpc.getSecurityGroupRule`, by its id. */
const getSecurityGroupRule: FunctionKind = {
  token: "aws:vpc/getSecurityGroupRule:getSecurityGroupRule",
  inputs: { securityGroupRuleId: { ...TEXT, required: true }, region: TEXT },
  invoke: async ({ aws }, inputs) => {
    const id = inputs.requiredString("securityGroupRuleId");
    const found = await unlessMissing(["InvalidSecurityGroupRuleId.NotFound"], () =>
      aws.ec2.send(new DescribeSecurityGroupRulesCommand({ SecurityGroupRuleIds: [id] })),
    );
    const live = theOnly("VPC Security Group Rule", found?.SecurityGroupRules);
    return {
      id,
      securityGroupRuleId: id,
      securityGroupId: live.GroupId ?? "",
      isEgress: live.IsEgress ?? false,
      ipProtocol: live.IpProtocol ?? "",
      fromPort: live.FromPort ?? null,
      toPort: live.ToPort ?? null,
      cidrIpv4: live.CidrIpv4 ?? null,
      cidrIpv6: live.CidrIpv6 ?? null,
      prefixListId: live.PrefixListId ?? null,
      referencedSecurityGroupId: live.ReferencedGroupInfo?.GroupId ?? null,
      tags: fromTagList(live.Tags),
    };
  },
};

/** Functions that return one object of EC2. */
export const ec2Details: readonly FunctionKind[] = [
  getInternetGateway,
  getElasticIp,
  getLaunchTemplate,
  getVpcEndpoint,
  getRouteTable,
  getSecurityGroupRule,
];
