import { text } from "../properties";
import { type ResourceIndex } from "./resourceIndex";
import type { TopologySubnet } from "./topology";

/** The subnets of a stack, by id. A subnet is public if it has a route to an internet gateway. */
export function readSubnets(index: ResourceIndex): ReadonlyMap<string, TopologySubnet> {
  const publicTables = new Set(
    index
      .all("aws:ec2/route:Route")
      .filter(({ outputs }) => text(outputs, "gatewayId").startsWith("igw-"))
      .map(({ outputs }) => text(outputs, "routeTableId")),
  );
  const publicSubnets = new Set(
    index
      .all("aws:ec2/routeTableAssociation:RouteTableAssociation")
      .filter(({ outputs }) => publicTables.has(text(outputs, "routeTableId")))
      .map(({ outputs }) => text(outputs, "subnetId")),
  );
  const withNat = new Set(
    index.all("aws:ec2/natGateway:NatGateway").map(({ outputs }) => text(outputs, "subnetId")),
  );
  return new Map(
    index.all("aws:ec2/subnet:Subnet").map(({ id, outputs }) => [
      id,
      {
        id,
        zone: text(outputs, "availabilityZone"),
        tier: publicSubnets.has(id) ? "public" : "private",
        cidr: text(outputs, "cidrBlock"),
        hasNat: withNat.has(id),
      },
    ]),
  );
}
