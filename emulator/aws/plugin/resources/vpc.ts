import {
  AssociateVpcCidrBlockCommand,
  CreateVpcCommand,
  DeleteVpcCommand,
  DescribeNetworkAclsCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcAttributeCommand,
  DescribeVpcsCommand,
  DisassociateVpcCidrBlockCommand,
  ModifyVpcAttributeCommand,
  ModifyVpcTenancyCommand,
  type Tenancy,
  type Vpc,
  type VpcIpv6CidrBlockAssociation,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing, waitUntil } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { Inputs } from "../inputs";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { oneOf, networkRange } from "../valueRules";

const MISSING = ["InvalidVpcID.NotFound"];

/** `aws.ec2.Vpc` */
export const vpc: ResourceKind = {
  type: "aws:ec2/vpc:Vpc",
  title: "VPC",
  regional: true,
  inputs: {
    cidrBlock: {
      type: "string",
      required: true,
      replaces: true,
      rule: networkRange("ipv4", 16, 28),
    },
    instanceTenancy: { type: "string", computed: true, rule: oneOf("default", "dedicated") },
    enableDnsSupport: { type: "boolean", default: true },
    enableDnsHostnames: { type: "boolean", computed: true },
    assignGeneratedIpv6CidrBlock: { type: "boolean" },
  },
  outputs: [
    "arn",
    "defaultNetworkAclId",
    "defaultRouteTableId",
    "defaultSecurityGroupId",
    "dhcpOptionsId",
    "ipv6AssociationId",
    "ipv6CidrBlock",
    "mainRouteTableId",
    "ownerId",
    "tagsAll",
  ],
  tagging: ec2Tagging,

  // EC2 can only change dedicated tenancy to the default in place.
  replacesOn: (property, olds, news) =>
    property === "instanceTenancy" &&
    (olds.string(property) !== "dedicated" || news.string(property) !== "default"),

  create: async (context, inputs) => {
    const { Vpc } = await context.aws.ec2.send(
      new CreateVpcCommand({
        CidrBlock: inputs.requiredString("cidrBlock"),
        InstanceTenancy: inputs.string("instanceTenancy") as Tenancy | undefined,
        AmazonProvidedIpv6CidrBlock: inputs.boolean("assignGeneratedIpv6CidrBlock"),
        TagSpecifications: tagSpecifications("vpc", context.tagsOf(inputs)),
      }),
    );
    const id = Vpc?.VpcId ?? "";
    return afterCreate(id, async () => {
      await setDns(context, id, inputs);
      await awaitIpv6(context, id, inputs.boolean("assignGeneratedIpv6CidrBlock") ?? false);
    });
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
    const ipv6 = ipv6Of(live);
    const mainTable = tables.RouteTables?.[0]?.RouteTableId ?? "";
    return {
      arn: ec2Arn(context, live.OwnerId, `vpc/${id}`),
      cidrBlock: live.CidrBlock ?? "",
      instanceTenancy: live.InstanceTenancy ?? "default",
      enableDnsSupport: support.EnableDnsSupport?.Value ?? true,
      enableDnsHostnames: hostnames.EnableDnsHostnames?.Value ?? false,
      assignGeneratedIpv6CidrBlock: ipv6 === undefined ? null : true,
      ipv6AssociationId: ipv6?.AssociationId ?? "",
      ipv6CidrBlock: ipv6?.Ipv6CidrBlock ?? "",
      defaultNetworkAclId: acls.NetworkAcls?.[0]?.NetworkAclId ?? "",
      defaultRouteTableId: mainTable,
      mainRouteTableId: mainTable,
      defaultSecurityGroupId: groups.SecurityGroups?.[0]?.GroupId ?? "",
      dhcpOptionsId: live.DhcpOptionsId ?? "",
      ownerId: live.OwnerId ?? "",
      tagsAll: fromTagList(live.Tags),
    };
  },

  update: async (context, id, { news, state, touches }) => {
    await setDns(context, id, news);
    if (touches("instanceTenancy")) {
      await context.aws.ec2.send(
        new ModifyVpcTenancyCommand({ VpcId: id, InstanceTenancy: "default" }),
      );
    }
    if (touches("assignGeneratedIpv6CidrBlock")) {
      const wanted = news.boolean("assignGeneratedIpv6CidrBlock") ?? false;
      await (wanted
        ? context.aws.ec2.send(
            new AssociateVpcCidrBlockCommand({ VpcId: id, AmazonProvidedIpv6CidrBlock: true }),
          )
        : context.aws.ec2.send(
            new DisassociateVpcCidrBlockCommand({
              AssociationId: state.requiredString("ipv6AssociationId"),
            }),
          ));
      await awaitIpv6(context, id, wanted);
    }
  },

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["DependencyViolation"], signal, () =>
        aws.ec2.send(new DeleteVpcCommand({ VpcId: id })),
      ),
    );
  },
};

/** EC2 accepts one attribute per call, and DNS host names only with DNS support. */
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

/** The association of the VPC's IPv6 range, complete or in progress. */
function ipv6Of(live: Vpc): VpcIpv6CidrBlockAssociation | undefined {
  return live.Ipv6CidrBlockAssociationSet?.find(({ Ipv6CidrBlockState: state }) =>
    ["associating", "associated"].includes(state?.State ?? ""),
  );
}

/** EC2 associates and disassociates IPv6 ranges asynchronously. */
async function awaitIpv6(context: OperationContext, id: string, wanted: boolean): Promise<void> {
  await waitUntil(`the IPv6 range of the VPC "${id}"`, context.signal, async () => {
    const { Vpcs } = await context.aws.ec2.send(new DescribeVpcsCommand({ VpcIds: [id] }));
    const [live] = Vpcs ?? [];
    const state = live === undefined ? undefined : ipv6Of(live)?.Ipv6CidrBlockState?.State;
    return state === (wanted ? "associated" : undefined);
  });
}
