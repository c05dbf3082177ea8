import { anywhere, arn, type Grant, type GrantedResource, grant, type GrantsOf } from "../grant";

/** One type of EC2's resources: what its actions are done with, and which actions need no resource. */
export interface Ec2Kind {
  /** Actions by the types of resources that each is done with, such as `subnet vpc`. */
  readonly on: Readonly<Record<string, readonly string[]>>;
  readonly reads: readonly string[];
  /** Types of resources that get tags. */
  readonly tagged?: string;
}

/**
 * The grants of one of EC2's types. EC2 chooses ids, so a grant names the type of a resource, in the
 * stack's account and region.
 */
export function ec2Grants(resource: GrantedResource, { on, reads, tagged }: Ec2Kind): Grant[] {
  const types = (names: string) =>
    names
      .split(" ")
      // Images and snapshots can be other accounts'.
      .map((name) =>
        name === "image" || name === "snapshot"
          ? `arn:${resource.scope.partition}:ec2:${resource.scope.region}::${name}/*`
          : arn(resource, "ec2", `${name}/*`),
      );
  return [
    anywhere("ec2", ...reads),
    ...Object.entries(on).map(([names, actions]) => grant("ec2", actions, types(names))),
    ...(tagged === undefined ? [] : [grant("ec2", ["CreateTags", "DeleteTags"], types(tagged))]),
  ];
}

function ec2(kind: Ec2Kind): GrantsOf {
  return (resource) => ec2Grants(resource, kind);
}

const RULE_READS = ["DescribeSecurityGroupRules", "DescribeSecurityGroups"];

/**
 * Networks. Sources: the Service Authorization Reference, "Actions, resources, and condition keys for
 * Amazon EC2"; the calls of hashicorp/terraform-provider-aws, internal/service/ec2.
 */
export const networkGrants: Readonly<Record<string, GrantsOf>> = {
  "aws:ec2/vpc:Vpc": ec2({
    on: {
      vpc: [
        "CreateVpc",
        "DeleteVpc",
        "ModifyVpcAttribute",
        "ModifyVpcTenancy",
        "AssociateVpcCidrBlock",
        "DisassociateVpcCidrBlock",
      ],
    },
    reads: [
      "DescribeVpcs",
      "DescribeVpcAttribute",
      "DescribeRouteTables",
      "DescribeNetworkAcls",
      "DescribeSecurityGroups",
    ],
    tagged: "vpc",
  }),
  "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation": ec2({
    on: { vpc: ["AssociateVpcCidrBlock", "DisassociateVpcCidrBlock"] },
    reads: ["DescribeVpcs"],
  }),
  "aws:ec2/subnet:Subnet": ec2({
    on: {
      "subnet vpc": ["CreateSubnet"],
      subnet: [
        "DeleteSubnet",
        "ModifySubnetAttribute",
        "AssociateSubnetCidrBlock",
        "DisassociateSubnetCidrBlock",
      ],
    },
    reads: ["DescribeSubnets", "DescribeNetworkInterfaces"],
    tagged: "subnet",
  }),
  "aws:ec2/internetGateway:InternetGateway": ec2({
    on: {
      "internet-gateway": ["CreateInternetGateway", "DeleteInternetGateway"],
      "internet-gateway vpc": ["AttachInternetGateway", "DetachInternetGateway"],
    },
    reads: ["DescribeInternetGateways"],
    tagged: "internet-gateway",
  }),
  "aws:ec2/egressOnlyInternetGateway:EgressOnlyInternetGateway": ec2({
    on: {
      "egress-only-internet-gateway vpc": ["CreateEgressOnlyInternetGateway"],
      "egress-only-internet-gateway": ["DeleteEgressOnlyInternetGateway"],
    },
    reads: ["DescribeEgressOnlyInternetGateways"],
    tagged: "egress-only-internet-gateway",
  }),
  "aws:ec2/routeTable:RouteTable": ec2({
    on: {
      "route-table vpc": ["CreateRouteTable"],
      "route-table": ["DeleteRouteTable", "CreateRoute", "ReplaceRoute", "DeleteRoute"],
      "route-table subnet": ["DisassociateRouteTable"],
    },
    reads: ["DescribeRouteTables"],
    tagged: "route-table",
  }),
  "aws:ec2/route:Route": ec2({
    on: { "route-table": ["CreateRoute", "ReplaceRoute", "DeleteRoute"] },
    reads: ["DescribeRouteTables"],
  }),
  "aws:ec2/routeTableAssociation:RouteTableAssociation": ec2({
    on: {
      "route-table subnet": [
        "AssociateRouteTable",
        "DisassociateRouteTable",
        "ReplaceRouteTableAssociation",
      ],
    },
    reads: ["DescribeRouteTables"],
  }),
  "aws:ec2/natGateway:NatGateway": ec2({
    on: {
      "natgateway subnet elastic-ip": ["CreateNatGateway"],
      natgateway: ["DeleteNatGateway"],
    },
    reads: ["DescribeNatGateways"],
    tagged: "natgateway",
  }),
  "aws:ec2/eip:Eip": ec2({
    on: {
      "elastic-ip": ["AllocateAddress", "ReleaseAddress"],
      "elastic-ip instance network-interface": ["AssociateAddress", "DisassociateAddress"],
    },
    reads: ["DescribeAddresses", "DescribeAddressesAttribute", "DescribeNetworkInterfaces"],
    tagged: "elastic-ip",
  }),
  "aws:ec2/eipAssociation:EipAssociation": ec2({
    on: { "elastic-ip instance network-interface": ["AssociateAddress", "DisassociateAddress"] },
    reads: ["DescribeAddresses", "DescribeInstances"],
  }),
  "aws:ec2/securityGroup:SecurityGroup": ec2({
    on: {
      "security-group vpc": ["CreateSecurityGroup"],
      "security-group": ["DeleteSecurityGroup"],
      // The provider takes the rule away with which AWS creates a group.
      "security-group security-group-rule": [
        "RevokeSecurityGroupEgress",
        "RevokeSecurityGroupIngress",
      ],
    },
    reads: [...RULE_READS, "DescribeNetworkInterfaces"],
    tagged: "security-group",
  }),
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": ec2({
    on: {
      "security-group security-group-rule": [
        "AuthorizeSecurityGroupIngress",
        "ModifySecurityGroupRules",
        "RevokeSecurityGroupIngress",
      ],
    },
    reads: RULE_READS,
    tagged: "security-group-rule",
  }),
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": ec2({
    on: {
      "security-group security-group-rule": [
        "AuthorizeSecurityGroupEgress",
        "ModifySecurityGroupRules",
        "RevokeSecurityGroupEgress",
      ],
    },
    reads: RULE_READS,
    tagged: "security-group-rule",
  }),
  "aws:ec2/vpcEndpoint:VpcEndpoint": (resource) => [
    ...ec2Grants(resource, {
      on: {
        "vpc-endpoint vpc route-table subnet security-group": [
          "CreateVpcEndpoint",
          "ModifyVpcEndpoint",
        ],
        "vpc-endpoint": ["DeleteVpcEndpoints"],
      },
      reads: ["DescribeVpcEndpoints", "DescribePrefixLists"],
      tagged: "vpc-endpoint",
    }),
    ...(resource.has("privateDnsEnabled")
      ? [grant("route53", ["AssociateVPCWithHostedZone"], ["*"])]
      : []),
  ],
  "aws:ec2/flowLog:FlowLog": (resource) => [
    ...ec2Grants(resource, {
      on: { "vpc-flow-log vpc": ["CreateFlowLogs"], "vpc-flow-log": ["DeleteFlowLogs"] },
      reads: ["DescribeFlowLogs"],
      tagged: "vpc-flow-log",
    }),
    // Only logs in a bucket are delivered this way; a log group has a role of its own.
    ...(resource.has("iamRoleArn")
      ? []
      : [anywhere("logs", "CreateLogDelivery", "DeleteLogDelivery")]),
  ],
  "aws:ec2/tag:Tag": (resource) => [
    anywhere("ec2", "DescribeTags"),
    grant(
      "ec2",
      ["CreateTags", "DeleteTags"],
      [arn(resource, "ec2", `*/${resource.text("resourceId")}`)],
    ),
  ],
};
