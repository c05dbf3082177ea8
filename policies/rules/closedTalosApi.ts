import { blocksOf, property, textOf, textsOf } from "../property";
import type { JudgedResource, Properties, ResourceRule } from "../rule";

/** Ports for operators and machines only: the Talos API and trustd. */
const PORTS = [50000, 50001];

interface Opening {
  readonly cidrs: readonly string[];
  readonly protocol: string | undefined;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * The Talos API is closed to the world: a machine without its first configuration accepts one from
 * every caller.
 */
export const closedTalosApi: ResourceRule = {
  name: "closed-talos-api",
  description: "The Talos API (ports 50000 and 50001) is open only to specific ranges",
  judge: (resource) =>
    openingsOf(resource)
      .filter(coversTalos)
      .flatMap(({ cidrs }) => cidrs.filter(isWorldRange))
      .map(
        (cidr) =>
          `it opens the Talos API to "${cidr}": a machine that waits for its first configuration accepts one from every caller; allow only the ranges of your operators`,
      ),
};

function openingsOf({ type, inputs }: JudgedResource): readonly Opening[] {
  switch (type) {
    case "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": {
      const cidrs = [textOf(inputs, "cidrIpv4"), textOf(inputs, "cidrIpv6")];
      return [
        {
          cidrs: cidrs.filter((cidr) => cidr !== undefined),
          protocol: textOf(inputs, "ipProtocol"),
          from: property(inputs, "fromPort"),
          to: property(inputs, "toPort"),
        },
      ];
    }
    case "aws:ec2/securityGroupRule:SecurityGroupRule":
      return textOf(inputs, "type") === "ingress" ? [openingOf(inputs)] : [];
    case "aws:ec2/securityGroup:SecurityGroup":
    case "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup":
      return blocksOf(inputs, "ingress").map(openingOf);
    default:
      return [];
  }
}

function openingOf(block: Properties): Opening {
  return {
    cidrs: [...textsOf(block, "cidrBlocks"), ...textsOf(block, "ipv6CidrBlocks")],
    protocol: textOf(block, "protocol"),
    from: property(block, "fromPort"),
    to: property(block, "toPort"),
  };
}

function coversTalos({ protocol, from, to }: Opening): boolean {
  if (protocol === "-1" || protocol === "all") {
    return true;
  }
  const isTcp = protocol === "tcp" || protocol === "6";
  return (
    isTcp &&
    typeof from === "number" &&
    typeof to === "number" &&
    PORTS.some((port) => from <= port && port <= to)
  );
}

/** Ranges with shorter prefixes count as the world. */
const SHORTEST_IPV4_PREFIX = 8;
const SHORTEST_IPV6_PREFIX = 16;

/** Whether a range of addresses is the world, or almost, however it is split. */
export function isWorldRange(cidr: string): boolean {
  const prefix = Number(cidr.split("/")[1] ?? Number.NaN);
  return prefix < (cidr.includes(":") ? SHORTEST_IPV6_PREFIX : SHORTEST_IPV4_PREFIX);
}
