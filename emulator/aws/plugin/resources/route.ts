import { createHash } from "node:crypto";
import {
  CreateRouteCommand,
  DeleteRouteCommand,
  DescribeRouteTablesCommand,
  ReplaceRouteCommand,
} from "@aws-sdk/client-ec2";
import { retryWhile, unlessMissing } from "../awsErrors";
import type { Inputs } from "../inputs";
import type { ResourceKind } from "../resourceKind";
import { networkRange } from "../valueRules";

const MISSING = ["InvalidRouteTableID.NotFound", "InvalidRoute.NotFound"];
const DESTINATION = {
  type: "string",
  replaces: true,
  exactlyOneOf: ["destinationCidrBlock", "destinationIpv6CidrBlock"],
} as const;
const TARGET = {
  type: "string",
  exactlyOneOf: ["egressOnlyGatewayId", "gatewayId", "natGatewayId", "networkInterfaceId"],
} as const;

/** `aws.ec2.Route` */
export const route: ResourceKind = {
  type: "aws:ec2/route:Route",
  title: "route",
  regional: true,
  exclusive: true,
  inputs: {
    routeTableId: { type: "string", required: true, replaces: true },
    destinationCidrBlock: { ...DESTINATION, rule: networkRange("ipv4") },
    destinationIpv6CidrBlock: { ...DESTINATION, rule: networkRange("ipv6") },
    egressOnlyGatewayId: { ...TARGET, conflictsWith: ["destinationCidrBlock"] },
    gatewayId: TARGET,
    natGatewayId: TARGET,
    networkInterfaceId: { ...TARGET, computed: true },
  },
  outputs: ["instanceId", "instanceOwnerId", "origin", "state"],

  create: async ({ aws }, inputs) => {
    await aws.ec2.send(new CreateRouteCommand(request(inputs)));
    return routeId(inputs.requiredString("routeTableId"), destination(inputs));
  },

  read: async ({ aws }, id, state) => {
    const { table, to } = place(id, state);
    const found = await unlessMissing(MISSING, () =>
      aws.ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [table] })),
    );
    const live = found?.RouteTables?.[0]?.Routes?.find(
      (entry) => entry.DestinationCidrBlock === to || entry.DestinationIpv6CidrBlock === to,
    );
    return (
      live && {
        id: routeId(table, to),
        routeTableId: table,
        destinationCidrBlock: live.DestinationCidrBlock ?? null,
        destinationIpv6CidrBlock: live.DestinationIpv6CidrBlock ?? null,
        egressOnlyGatewayId: live.EgressOnlyInternetGatewayId ?? null,
        gatewayId: live.GatewayId ?? null,
        natGatewayId: live.NatGatewayId ?? null,
        networkInterfaceId: live.NetworkInterfaceId ?? "",
        instanceId: live.InstanceId ?? "",
        instanceOwnerId: live.InstanceOwnerId ?? "",
        origin: live.Origin ?? "",
        state: live.State ?? "",
      }
    );
  },

  update: async ({ aws }, _id, { news }) => {
    await aws.ec2.send(new ReplaceRouteCommand(request(news)));
  },

  delete: async ({ aws, signal }, id, state) => {
    const { table, to } = place(id, state);
    await unlessMissing(MISSING, () =>
      retryWhile(["IncorrectState"], signal, () =>
        aws.ec2.send(
          new DeleteRouteCommand({
            RouteTableId: table,
            ...(to.includes(":") ? { DestinationIpv6CidrBlock: to } : { DestinationCidrBlock: to }),
          }),
        ),
      ),
    );
  },
};

function request(inputs: Inputs) {
  return {
    RouteTableId: inputs.requiredString("routeTableId"),
    DestinationCidrBlock: inputs.string("destinationCidrBlock"),
    DestinationIpv6CidrBlock: inputs.string("destinationIpv6CidrBlock"),
    EgressOnlyInternetGatewayId: inputs.string("egressOnlyGatewayId"),
    GatewayId: inputs.string("gatewayId"),
    NatGatewayId: inputs.string("natGatewayId"),
    NetworkInterfaceId: inputs.string("networkInterfaceId"),
  };
}

function destination(inputs: Inputs): string {
  return inputs.string("destinationCidrBlock") ?? inputs.requiredString("destinationIpv6CidrBlock");
}

/**
 * The table and destination of the route: from its properties, or from the id of an import,
 * `rtb-1_0.0.0.0/0`.
 */
function place(id: string, state: Inputs): { table: string; to: string } {
  if (state.has("routeTableId")) {
    return { table: state.requiredString("routeTableId"), to: destination(state) };
  }
  const [table, to] = id.split("_");
  if (table === undefined || to === undefined) {
    throw new Error(`"${id}" names no route: write it as in "rtb-0123456789abcdef0_0.0.0.0/0"`);
  }
  return { table, to };
}

function routeId(table: string, to: string): string {
  return `r-${table}${createHash("sha256").update(to).digest().readUInt32BE(0)}`;
}
