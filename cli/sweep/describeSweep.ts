import { HOURS_PER_MONTH, PRICES } from "../../preview";
import { renderTexts, type TableLook } from "../status/table";
import type { Found } from "./found";
import type { Kept, Made } from "./planSweep";

const WHAT: Readonly<Record<Found["kind"], string>> = {
  machine: "machine",
  classicLoadBalancer: "load balancer",
  loadBalancer: "load balancer",
  targetGroup: "target group",
  securityGroup: "security group",
  volume: "volume",
  snapshot: "snapshot",
};

/**
 * The table of resources that controllers created: what each is, why it belongs to the cluster,
 * what it costs or blocks.
 */
export function describeMade(all: readonly Made[], look: TableLook): string {
  const rows = all.map(({ thing, maker, blocks }) => [
    `  ${WHAT[thing.kind]}`,
    thing.name,
    `${maker.owner}, by ${maker.controller}`,
    effectOf(thing, blocks),
  ]);
  return renderTexts(["  WHAT", "NAME", "CREATED FOR", "WHILE IT EXISTS"], rows, look);
}

export function describeKept(all: readonly Kept[], look: TableLook): string {
  const rows = all.map(({ thing, reason }) => [`  ${WHAT[thing.kind]}`, thing.name, reason]);
  return renderTexts(["  WHAT", "NAME", "WHY IT STAYS"], rows, look);
}

function effectOf(thing: Found, blocks: boolean): string {
  const usd = usdPerMonth(thing);
  const cost = costOf(thing, usd);
  if (!blocks) {
    return cost;
  }
  return usd === 0 ? "blocks the network" : `${cost}, blocks the network`;
}

function costOf({ kind }: Found, usd: number | undefined): string {
  if (usd === undefined) {
    return kind === "snapshot" ? "costs by its size" : "costs by its type";
  }
  return usd === 0 ? "costs nothing" : `costs about $${usd.toFixed(2)} a month in ${PRICES.region}`;
}

/** List prices in us-east-1; undefined for unknown prices. */
function usdPerMonth({ kind, type, gib }: Found): number | undefined {
  switch (kind) {
    case "classicLoadBalancer":
      return PRICES.usdPerClassicLoadBalancerHour * HOURS_PER_MONTH;
    case "loadBalancer":
      return PRICES.usdPerLoadBalancerHour * HOURS_PER_MONTH;
    case "volume":
      return type === "gp3" ? PRICES.usdPerGibMonth * gib : undefined;
    case "machine":
    case "snapshot":
      return undefined;
    default:
      return 0;
  }
}
