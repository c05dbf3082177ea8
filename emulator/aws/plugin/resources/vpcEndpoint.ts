import {
  CreateVpcEndpointCommand,
  DeleteVpcEndpointsCommand,
  DescribeVpcEndpointsCommand,
  ModifyVpcEndpointCommand,
  type VpcEndpoint,
  VpcEndpointType,
} from "@aws-sdk/client-ec2";
import { unlessMissing, waitUntil } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { memberOf } from "../valueRules";

const MISSING = ["InvalidVpcEndpointId.NotFound"];

/** Lists whose items are added and removed one by one, with the names of both in EC2's API. */
const LISTS = {
  routeTableIds: ["AddRouteTableIds", "RemoveRouteTableIds"],
  subnetIds: ["AddSubnetIds", "RemoveSubnetIds"],
  securityGroupIds: ["AddSecurityGroupIds", "RemoveSecurityGroupIds"],
} as const;

/** `aws.ec2.VpcEndpoint`, of the types `Gateway` and `Interface`. */
export const vpcEndpoint: ResourceKind = {
  type: "aws:ec2/vpcEndpoint:VpcEndpoint",
  title: "VPC endpoint",
  regional: true,
  inputs: {
    vpcId: { type: "string", required: true, replaces: true },
    serviceName: { type: "string", required: true, replaces: true },
    vpcEndpointType: {
      type: "string",
      default: "Gateway",
      replaces: true,
      rule: memberOf(VpcEndpointType),
    },
    routeTableIds: { type: "strings", computed: true, unordered: true },
    subnetIds: { type: "strings", computed: true, unordered: true },
    securityGroupIds: { type: "strings", computed: true, unordered: true },
    privateDnsEnabled: { type: "boolean", computed: true },
  },
  outputs: ["arn", "ownerId", "state", "tagsAll"],
  tagging: ec2Tagging,

  validate: (inputs) =>
    ["Gateway", "Interface"].includes(inputs.string("vpcEndpointType") ?? "")
      ? []
      : [
          {
            property: "vpcEndpointType",
            reason: `the substitute for the AWS plugin knows VPC endpoints of the types "Gateway" and "Interface" only`,
          },
        ],

  create: async (context, inputs) => {
    const created = await context.aws.ec2.send(
      new CreateVpcEndpointCommand({
        VpcId: inputs.requiredString("vpcId"),
        ServiceName: inputs.requiredString("serviceName"),
        VpcEndpointType: inputs.string("vpcEndpointType") as VpcEndpointType | undefined,
        RouteTableIds: inputs.strings("routeTableIds"),
        SubnetIds: inputs.strings("subnetIds"),
        SecurityGroupIds: inputs.strings("securityGroupIds"),
        PrivateDnsEnabled: inputs.boolean("privateDnsEnabled"),
        TagSpecifications: tagSpecifications("vpc-endpoint", context.tagsOf(inputs)),
      }),
    );
    const id = created.VpcEndpoint?.VpcEndpointId ?? "";
    return afterCreate(id, () =>
      waitUntil(`the VPC endpoint "${id}" to be available`, context.signal, async () => {
        const live = await find(context, id);
        return live?.State?.toLowerCase() === "available";
      }),
    );
  },

  read: async (context, id) => {
    const live = await find(context, id);
    return (
      live && {
        arn: ec2Arn(context, live.OwnerId, `vpc-endpoint/${id}`),
        vpcId: live.VpcId ?? "",
        serviceName: live.ServiceName ?? "",
        vpcEndpointType: live.VpcEndpointType ?? "Gateway",
        routeTableIds: live.RouteTableIds ?? [],
        subnetIds: live.SubnetIds ?? [],
        securityGroupIds: (live.Groups ?? []).map(({ GroupId }) => GroupId ?? ""),
        privateDnsEnabled: live.VpcEndpointType === "Interface" && live.PrivateDnsEnabled === true,
        ownerId: live.OwnerId ?? "",
        state: live.State ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async ({ aws }, id, { olds, news, touches }) => {
    const changes = Object.entries(LISTS).flatMap(([name, [add, remove]]) => {
      const before = olds.strings(name) ?? [];
      const after = news.strings(name) ?? [];
      const added = after.filter((each) => !before.includes(each));
      const removed = before.filter((each) => !after.includes(each));
      return [
        ...(added.length > 0 ? [[add, added] as const] : []),
        ...(removed.length > 0 ? [[remove, removed] as const] : []),
      ];
    });
    const names = touches("privateDnsEnabled");
    if (changes.length > 0 || names) {
      await aws.ec2.send(
        new ModifyVpcEndpointCommand({
          VpcEndpointId: id,
          ...Object.fromEntries(changes),
          ...(names && { PrivateDnsEnabled: news.boolean("privateDnsEnabled") ?? false }),
        }),
      );
    }
  },

  delete: async (context, id) => {
    await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DeleteVpcEndpointsCommand({ VpcEndpointIds: [id] })),
    );
    await waitUntil(
      `the VPC endpoint "${id}" to be gone`,
      context.signal,
      async () => (await find(context, id)) === undefined,
    );
  },
};

async function find({ aws }: OperationContext, id: string): Promise<VpcEndpoint | undefined> {
  const found = await unlessMissing(MISSING, () =>
    aws.ec2.send(new DescribeVpcEndpointsCommand({ VpcEndpointIds: [id] })),
  );
  return found?.VpcEndpoints?.find(({ State }) => State?.toLowerCase() !== "deleted");
}
