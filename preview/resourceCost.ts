import { HOURS_PER_MONTH, PRICES, usdPerInstanceHour } from "../components/prices";
import { documentAt } from "./documentAt";
import type { PreviewedResource, Properties } from "./previewedResource";

/** What the resources of a stack cost a month. */
export interface MonthlyCost {
  /** US dollars, without what depends on use, such as traffic. */
  readonly usd: number;
  /** What costs money at prices that aren't in the table, for example `m7i.48xlarge`. */
  readonly unpriced: readonly string[];
}

/** What the stack costs before the change, and after; by `PRICES`, whatever the region. */
export function planCost(resources: readonly PreviewedResource[]) {
  const cost = (which: "oldInputs" | "newInputs") =>
    sum(resources.flatMap((resource) => costOf(resource.type, resource[which])));
  return { before: cost("oldInputs"), after: cost("newInputs") };
}

type Price = number | string;

/** Prices of one resource; a name stands for what the table has no price for. */
function costOf(type: string, inputs: Properties): readonly Price[] {
  if (Object.keys(inputs).length === 0) {
    return [];
  }
  const address = PRICES.usdPerPublicAddressHour * HOURS_PER_MONTH;
  switch (type) {
    case "aws:ec2/instance:Instance": {
      const root = documentAt(inputs, "rootBlockDevice") ?? {};
      return [
        ...instance(inputs.instanceType),
        ...volume(root.volumeSize),
        ...(inputs.associatePublicIpAddress === true ? [address] : []),
      ];
    }
    case "aws:ebs/volume:Volume":
      return volume(inputs.size);
    case "aws:lb/loadBalancer:LoadBalancer": {
      const subnets = Array.isArray(inputs.subnets) ? inputs.subnets.length : 0;
      const addresses = inputs.internal === true ? 0 : subnets;
      return [PRICES.usdPerLoadBalancerHour * HOURS_PER_MONTH, addresses * address];
    }
    case "aws:ec2/natGateway:NatGateway":
      return [PRICES.usdPerNatGatewayHour * HOURS_PER_MONTH];
    case "aws:ec2/eip:Eip":
      return [address];
    case "aws:route53/zone:Zone":
      return [PRICES.usdPerHostedZoneMonth];
    default:
      return [];
  }
}

function instance(type: unknown): readonly Price[] {
  const name = typeof type === "string" ? type : "an instance type that isn't known yet";
  const hourly = usdPerInstanceHour(name);
  return [hourly === undefined ? name : hourly * HOURS_PER_MONTH];
}

function volume(sizeGib: unknown): readonly Price[] {
  return typeof sizeGib === "number" ? [sizeGib * PRICES.usdPerGibMonth] : [];
}

function sum(prices: readonly Price[]): MonthlyCost {
  return {
    usd: prices.reduce<number>(
      (total, price) => total + (typeof price === "number" ? price : 0),
      0,
    ),
    unpriced: [...new Set(prices.filter((price) => typeof price === "string"))],
  };
}
