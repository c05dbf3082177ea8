import {
  AssociateRouteTableCommand,
  DescribeRouteTablesCommand,
  DisassociateRouteTableCommand,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import type { ResourceKind } from "../resourceKind";

const MISSING = ["InvalidAssociationID.NotFound", "InvalidRouteTableID.NotFound"];

/**
 * `aws.ec2.RouteTableAssociation`. Where AWS can move an association to another table, its id
 * changes with that, so here another table means another association.
 */
export const routeTableAssociation: ResourceKind = {
  type: "aws:ec2/routeTableAssociation:RouteTableAssociation",
  title: "route table association",
  regional: true,
  exclusive: true,
  inputs: {
    routeTableId: { type: "string", required: true, replaces: true },
    subnetId: { type: "string", replaces: true },
    gatewayId: { type: "string", replaces: true },
  },
  outputs: [],

  validate: (inputs) =>
    inputs.has("subnetId") === inputs.has("gatewayId")
      ? [{ property: "subnetId", reason: "exactly one of subnetId and gatewayId must be set" }]
      : [],

  create: async ({ aws }, inputs) => {
    const { AssociationId } = await aws.ec2.send(
      new AssociateRouteTableCommand({
        RouteTableId: inputs.requiredString("routeTableId"),
        SubnetId: inputs.string("subnetId"),
        GatewayId: inputs.string("gatewayId"),
      }),
    );
    return AssociationId ?? "";
  },

  read: async ({ aws }, id, state) => {
    // For import the id is that of the subnet or gateway and of the table: "subnet-1/rtb-1".
    const [part, table] = id.split("/");
    const tableId = table ?? state.string("routeTableId");
    const found = await unlessMissing(MISSING, () =>
      aws.ec2.send(
        new DescribeRouteTablesCommand(
          tableId === undefined
            ? { Filters: [{ Name: "association.route-table-association-id", Values: [id] }] }
            : { RouteTableIds: [tableId] },
        ),
      ),
    );
    const live = found?.RouteTables?.flatMap(({ Associations }) => Associations ?? []).find(
      (entry) =>
        table === undefined
          ? entry.RouteTableAssociationId === id
          : entry.SubnetId === part || entry.GatewayId === part,
    );
    return (
      live && {
        id: live.RouteTableAssociationId ?? id,
        routeTableId: live.RouteTableId ?? "",
        subnetId: live.SubnetId ?? null,
        gatewayId: live.GatewayId ?? null,
      }
    );
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () =>
      aws.ec2.send(new DisassociateRouteTableCommand({ AssociationId: id })),
    );
  },
};
