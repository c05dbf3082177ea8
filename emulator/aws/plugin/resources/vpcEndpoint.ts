import {
  CreateVpcEndpointCommand,
  DeleteVpcEndpointsCommand,
  DescribeVpcEndpointsCommand,
  ModifyVpcEndpointCommand,
  type VpcEndpoint,
  type VpcEndpointType,
} from "@aws-sdk/client-ec2";
import { unlessMissing, waitUntil } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import { afterCreate, type OperationContext, type ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidVpcEndpointId.NotFound"];

/** `aws.ec2.VpcEndpoint`, of the type `Gateway`. */
export const vpcEndpoint: ResourceKind = {
  type: "aws:ec2/vpcEndpoint:VpcEndpoint",
  title: "VPC endpoint",
  regional: true,
  inputs: {
    vpcId: { type: "string", required: true, replaces: true },
    serviceName: { type: "string", required: true, replaces: true },
    vpcEndpointType: { type: "string", default: "Gateway", replaces: true },
    routeTableIds: { type: "strings", computed: true, unordered: true },
  },
  outputs: ["arn", "ownerId", "state", "tagsAll"],
  tagging: ec2Tagging,

  validate: (inputs) =>
    inputs.string("vpcEndpointType") === "Gateway"
      ? []
      : [
          {
            property: "vpcEndpointType",
            reason: `the stand-in for the AWS plugin knows VPC endpoints of the type "Gateway" only`,
          },
        ],

  create: async (context, inputs) => {
    const created = await context.aws.ec2.send(
      new CreateVpcEndpointCommand({
        VpcId: inputs.requiredString("vpcId"),
        ServiceName: inputs.requiredString("serviceName"),
        VpcEndpointType: inputs.string("vpcEndpointType") as VpcEndpointType | undefined,
        RouteTableIds: inputs.strings("routeTableIds"),
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
        ownerId: live.OwnerId ?? "",
        state: live.State ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  update: async ({ aws }, id, { olds, news }) => {
    const before = olds.strings("routeTableIds") ?? [];
    const after = news.strings("routeTableIds") ?? [];
    const added = after.filter((table) => !before.includes(table));
    const removed = before.filter((table) => !after.includes(table));
    if (added.length + removed.length > 0) {
      await aws.ec2.send(
        new ModifyVpcEndpointCommand({
          VpcEndpointId: id,
          ...(added.length > 0 && { AddRouteTableIds: added }),
          ...(removed.length > 0 && { RemoveRouteTableIds: removed }),
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
