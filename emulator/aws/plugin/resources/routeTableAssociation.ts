import {
  AssociateRouteTableCommand,
  DescribeRouteTablesCommand,
  DisassociateRouteTableCommand,
  ReplaceRouteTableAssociationCommand,
  type RouteTableAssociation,
} from "@aws-sdk/client-ec2";
import { unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { OperationContext, ResourceKind } from "../resourceKind";

const MISSING = ["InvalidAssociationID.NotFound", "InvalidRouteTableID.NotFound"];

const PLACE = {
  type: "string",
  replaces: true,
  exactlyOneOf: ["subnetId", "gatewayId"],
} as const;

/**
 * `aws.ec2.RouteTableAssociation`. A change of the table changes its id in EC2, but not in the
 * engine. So it is also found by its subnet or gateway.
 */
export const routeTableAssociation: ResourceKind = {
  type: "aws:ec2/routeTableAssociation:RouteTableAssociation",
  title: "route table association",
  regional: true,
  exclusive: true,
  inputs: {
    routeTableId: { type: "string", required: true },
    subnetId: PLACE,
    gatewayId: PLACE,
  },
  outputs: [],

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
    // The id of an import consists of the subnet or gateway and the table: "subnet-1/rtb-1".
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
    const places = table === undefined ? placesOf(state) : [part];
    const live = found?.RouteTables?.flatMap(({ Associations }) => Associations ?? []).find(
      (entry) => entry.RouteTableAssociationId === id || isAt(entry, places),
    );
    return (
      live && {
        id: table === undefined ? id : (live.RouteTableAssociationId ?? id),
        routeTableId: live.RouteTableId ?? "",
        subnetId: live.SubnetId ?? null,
        gatewayId: live.GatewayId ?? null,
      }
    );
  },

  update: async (context, id, { olds, news }) => {
    await context.aws.ec2.send(
      new ReplaceRouteTableAssociationCommand({
        AssociationId: await liveId(context, id, olds),
        RouteTableId: news.requiredString("routeTableId"),
      }),
    );
  },

  delete: async (context, id, state) => {
    await unlessMissing(MISSING, async () => {
      const AssociationId = await liveId(context, id, state);
      await context.aws.ec2.send(new DisassociateRouteTableCommand({ AssociationId }));
    });
  },
};

/** The current id of the association. */
async function liveId({ aws }: OperationContext, id: string, state: Inputs): Promise<string> {
  const { RouteTables } = await aws.ec2.send(
    new DescribeRouteTablesCommand({ RouteTableIds: [state.requiredString("routeTableId")] }),
  );
  const places = placesOf(state);
  const live = RouteTables?.[0]?.Associations?.find((entry) => isAt(entry, places));
  return live?.RouteTableAssociationId ?? id;
}

function placesOf(state: Inputs): string[] {
  return [state.string("subnetId") ?? "", state.string("gatewayId") ?? ""];
}

function isAt(
  { SubnetId, GatewayId }: RouteTableAssociation,
  places: readonly (string | undefined)[],
): boolean {
  return places.some((place) => place !== "" && (place === SubnetId || place === GatewayId));
}
