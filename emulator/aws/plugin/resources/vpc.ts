import {
  CreateVpcCommand,
  DeleteVpcCommand,
  DescribeNetworkAclsCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcAttributeCommand,
  DescribeVpcsCommand,
  ModifyVpcAttributeCommand,
  type Tenancy,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidVpcID.NotFound"];

/** `aws.ec2.Vpc` */
export const vpc: ResourceKind = {
  type: "aws:ec2/vpc:Vpc",
  title: "VPC",
  regional: true,
  inputs: {
    cidrBlock: { type: "string", required: true, replaces: true },
    instanceTenancy: { type: "string", default: "default", replaces: true },
    enableDnsSupport: { type: "boolean", default: true },
    enableDnsHostnames: { type: "boolean", computed: true },
  },
  outputs: [
    "arn",
    "defaultNetworkAclId",
    "defaultRouteTableId",
    "defaultSecurityGroupId",
    "dhcpOptionsId",
    "mainRouteTableId",
    "ownerId",
    "tagsAll",
  ],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { Vpc } = await context.aws.ec2.send(
      new CreateVpcCommand({
        CidrBlock: inputs.requiredString("cidrBlock"),
        InstanceTenancy: inputs.string("instanceTenancy") as Tenancy | undefined,
        TagSpecifications: tagSpecifications("vpc", context.tagsOf(inputs)),
      }),
    );
    const id = Vpc?.VpcId ?? "";
    return afterCreate(id, () => setDns(context, id, inputs));
  },

  read: async (context, id) => {
    const { ec2 } = context.aws;
    const found = await unlessMissing(MISSING, () =>
      ec2.send(new DescribeVpcsCommand({ VpcIds: [id] })),
    );
    const live = found?.Vpcs?.[0];
    if (live === undefined) {
      return undefined;
    }
    const ofVpc = { Name: "vpc-id", Values: [id] };
    const [support, hostnames, tables, groups, acls] = await Promise.all([
      ec2.send(new DescribeVpcAttributeCommand({ VpcId: id, Attribute: "enableDnsSupport" })),
      ec2.send(new DescribeVpcAttributeCommand({ VpcId: id, Attribute: "enableDnsHostnames" })),
      ec2.send(
        new DescribeRouteTablesCommand({
          Filters: [ofVpc, { Name: "association.main", Values: ["true"] }],
        }),
      ),
      ec2.send(
        new DescribeSecurityGroupsCommand({
          Filters: [ofVpc, { Name: "group-name", Values: ["default"] }],
        }),
      ),
      ec2.send(
        new DescribeNetworkAclsCommand({ Filters: [ofVpc, { Name: "default", Values: ["true"] }] }),
      ),
    ]);
    const mainTable = tables.RouteTables?.[0]?.RouteTableId ?? "";
    return {
      arn: ec2Arn(context, live.OwnerId, `vpc/${id}`),
      cidrBlock: live.CidrBlock ?? "",
      instanceTenancy: live.InstanceTenancy ?? "default",
      enableDnsSupport: support.EnableDnsSupport?.Value ?? true,
      enableDnsHostnames: hostnames.EnableDnsHostnames?.Value ?? false,
      defaultNetworkAclId: acls.NetworkAcls?.[0]?.NetworkAclId ?? "",
      defaultRouteTableId: mainTable,
      mainRouteTableId: mainTable,
      defaultSecurityGroupId: groups.SecurityGroups?.[0]?.GroupId ?? "",
      dhcpOptionsId: live.DhcpOptionsId ?? "",
      ownerId: live.OwnerId ?? "",
      tagsAll: fromTagList(live.Tags),
    };
  },

  update: (context, id, { news }) => setDns(context, id, news),

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["DependencyViolation"], signal, () =>
        aws.ec2.send(new DeleteVpcCommand({ VpcId: id })),
      ),
    );
  },
};

/** EC2 takes one attribute a call, and host names only while DNS support is on. */
async function setDns(context: OperationContext, id: string, inputs: Inputs): Promise<void> {
  const support = inputs.boolean("enableDnsSupport");
  const hostnames = inputs.boolean("enableDnsHostnames");
  if (support !== undefined) {
    await context.aws.ec2.send(
      new ModifyVpcAttributeCommand({ VpcId: id, EnableDnsSupport: { Value: support } }),
    );
  }
  if (hostnames !== undefined) {
    await context.aws.ec2.send(
      new ModifyVpcAttributeCommand({ VpcId: id, EnableDnsHostnames: { Value: hostnames } }),
    );
  }
}
