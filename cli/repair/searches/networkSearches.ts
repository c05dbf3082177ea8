import { type Properties, objects, text, texts } from "../../properties";
import {
  askFor,
  type Ask,
  filter,
  type Filter,
  place,
  type Search,
  tagFilters,
  Unsure,
} from "./search";

export const networkSearches: Readonly<Record<string, Search>> = {
  "aws:ec2/vpc:Vpc": async (inputs, ask, recorded) => {
    const all = await list(ask, "aws:ec2/getVpcs:getVpcs", inputs, tagFilters(inputs));
    const ids = all.filter((id) => !recorded.has(id));
    // A network of another stack may have the same tags. After an interrupted create, a network is
    // empty.
    for (const id of ids) {
      const within = [filter("vpc-id", id)];
      const subnets = await list(ask, "aws:ec2/getSubnets:getSubnets", inputs, within);
      if (subnets.length > 0) {
        throw new Unsure(`the network ${id} has the same tags, and contains subnets`, ids);
      }
    }
    return ids;
  },

  // A network has each range once.
  "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation": async (inputs, ask) => {
    const network = { ...place(inputs), id: text(inputs, "vpcId") };
    const live = await askFor(ask, "aws:ec2/getVpc:getVpc", network);
    return objects(live ?? {}, "cidrBlockAssociations")
      .filter(
        (each) =>
          text(each, "cidrBlock") === text(inputs, "cidrBlock") &&
          text(each, "state") === "associated",
      )
      .map((each) => text(each, "associationId"));
  },

  // Ranges of subnets are unique in a network.
  "aws:ec2/subnet:Subnet": (inputs, ask) =>
    list(ask, "aws:ec2/getSubnets:getSubnets", inputs, [
      filter("vpc-id", text(inputs, "vpcId")),
      filter("cidr-block", text(inputs, "cidrBlock")),
    ]),

  // A network has at most one. It is created first and attached afterwards.
  "aws:ec2/internetGateway:InternetGateway": async (inputs, ask) => {
    const attached = [filter("attachment.vpc-id", text(inputs, "vpcId"))];
    return (
      (await internetGateway(ask, inputs, attached)) ??
      (await internetGateway(ask, inputs, tagFilters(inputs))) ??
      []
    );
  },

  "aws:ec2/routeTable:RouteTable": (inputs, ask) =>
    list(ask, "aws:ec2/getRouteTables:getRouteTables", inputs, [
      filter("vpc-id", text(inputs, "vpcId")),
      ...tagFilters(inputs),
    ]),

  "aws:ec2/route:Route": async (inputs, ask) => {
    const id = text(inputs, "routeTableId");
    const ipv6 = text(inputs, "destinationIpv6CidrBlock");
    const destination = ipv6 === "" ? text(inputs, "destinationCidrBlock") : ipv6;
    const table = await routeTable(ask, inputs, id);
    const isThere = objects(table, "routes").some(
      (route) => text(route, ipv6 === "" ? "cidrBlock" : "ipv6CidrBlock") === destination,
    );
    // The provider finds it by table and destination; the id is only a name.
    return isThere ? [`${id}_${destination}`] : [];
  },

  "aws:ec2/routeTableAssociation:RouteTableAssociation": async (inputs, ask) => {
    const table = await routeTable(ask, inputs, text(inputs, "routeTableId"));
    return objects(table, "associations")
      .filter(
        (each) =>
          text(each, "subnetId") === text(inputs, "subnetId") &&
          text(each, "gatewayId") === text(inputs, "gatewayId"),
      )
      .map((each) => text(each, "routeTableAssociationId"));
  },

  "aws:ec2/natGateway:NatGateway": (inputs, ask) =>
    list(ask, "aws:ec2/getNatGateways:getNatGateways", inputs, [
      filter("subnet-id", text(inputs, "subnetId")),
      { name: "state", values: ["pending", "available"] },
      ...tagFilters(inputs),
    ]),

  "aws:ec2/vpcEndpoint:VpcEndpoint": async (inputs, ask) => {
    const live = await askFor(ask, "aws:ec2/getVpcEndpoint:getVpcEndpoint", {
      ...place(inputs),
      vpcId: text(inputs, "vpcId"),
      serviceName: text(inputs, "serviceName"),
      filters: tagFilters(inputs),
    });
    return live === undefined ? [] : [text(live, "id")];
  },

  "aws:ec2/eip:Eip": async (inputs, ask, recorded) => {
    const live = await ask("aws:ec2/getEips:getEips", {
      ...place(inputs),
      filters: tagFilters(inputs),
    });
    const ids = texts(live, "allocationIds").filter((id) => !recorded.has(id));
    // An address of another stack may have the same tags. After an interrupted create, an address
    // is unused.
    for (const id of ids) {
      const address = await ask("aws:ec2/getElasticIp:getElasticIp", { ...place(inputs), id });
      if (text(address, "associationId") !== "") {
        throw new Unsure(`the address ${id} has the same tags, and is in use`, ids);
      }
    }
    return ids;
  },
};

/**
 * The ids from one of EC2's list functions.
 *
 * @param more other arguments of the function. Default: none
 */
export async function list(
  ask: Ask,
  token: string,
  inputs: Properties,
  filters: readonly Filter[],
  more: Properties = {},
): Promise<readonly string[]> {
  return texts((await askFor(ask, token, { ...place(inputs), filters, ...more })) ?? {}, "ids");
}

async function internetGateway(
  ask: Ask,
  inputs: Properties,
  filters: readonly Filter[],
): Promise<readonly string[] | undefined> {
  const found = await askFor(ask, "aws:ec2/getInternetGateway:getInternetGateway", {
    ...place(inputs),
    filters,
  });
  const strange = objects(found ?? {}, "attachments").find(
    (each) => text(each, "vpcId") !== text(inputs, "vpcId"),
  );
  if (found !== undefined && strange !== undefined) {
    const id = text(found, "internetGatewayId");
    throw new Unsure(`the gateway ${id} has the same tags, and belongs to another network`, [id]);
  }
  return found && [text(found, "internetGatewayId")];
}

async function routeTable(ask: Ask, inputs: Properties, routeTableId: string): Promise<Properties> {
  const token = "aws:ec2/getRouteTable:getRouteTable";
  return (await askFor(ask, token, { ...place(inputs), routeTableId })) ?? {};
}
