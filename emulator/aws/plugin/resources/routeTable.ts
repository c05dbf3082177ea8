import {
  CreateRouteTableCommand,
  DeleteRouteTableCommand,
  DescribeRouteTablesCommand,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import type { ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";

const MISSING = ["InvalidRouteTableID.NotFound"];

/** `aws.ec2.RouteTable`; its routes are separate resources (`aws.ec2.Route`). */
export const routeTable: ResourceKind = {
  type: "aws:ec2/routeTable:RouteTable",
  title: "route table",
  regional: true,
  inputs: { vpcId: { type: "string", required: true, replaces: true } },
  outputs: ["arn", "ownerId", "tagsAll"],
  tagging: ec2Tagging,

  create: async (context, inputs) => {
    const { RouteTable } = await context.aws.ec2.send(
      new CreateRouteTableCommand({
        VpcId: inputs.requiredString("vpcId"),
        TagSpecifications: tagSpecifications("route-table", context.tagsOf(inputs)),
      }),
    );
    return RouteTable?.RouteTableId ?? "";
  },

  read: async (context, id) => {
    const found = await unlessMissing(MISSING, () =>
      context.aws.ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] })),
    );
    const live = found?.RouteTables?.[0];
    return (
      live && {
        arn: ec2Arn(context, live.OwnerId, `route-table/${id}`),
        vpcId: live.VpcId ?? "",
        ownerId: live.OwnerId ?? "",
        tagsAll: fromTagList(live.Tags),
      }
    );
  },

  delete: async ({ aws, signal }, id) => {
    await unlessMissing(MISSING, () =>
      retryWhile(["DependencyViolation"], signal, () =>
        aws.ec2.send(new DeleteRouteTableCommand({ RouteTableId: id })),
      ),
    );
  },
};
