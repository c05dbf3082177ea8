import instancePrices from "./gen/instancePrices.json";
import { sizeMultiple } from "./instanceSizes";

/** Hours in a month, the average over four years. */
export const HOURS_PER_MONTH = 730.5;

/**
 * List prices in us-east-1, on demand, November 2026 (aws.amazon.com/ec2/pricing, /ebs/pricing,
 * /elasticloadbalancing/pricing, /vpc/pricing, /privatelink/pricing, /cloudwatch/pricing). The
 * README, the settings files and the components' doc comments use them. Those of instances have the date of
 * their table. Other regions cost more. A type that isn't in the table has an unknown price, never a guess.
 */
export const PRICES = {
  source: `list prices in us-east-1, on demand, November 2026, of instances ${instancePrices.date}`,
  /** gp3, with the throughput and operations that are included. */
  usdPerGibMonth: 0.08,
  /** gp3, each operation a second above 3000. */
  usdPerOperationMonth: 0.005,
  /** gp3, each MiB a second above 125. */
  usdPerThroughputMibMonth: 0.04,
  /** A network load balancer, without its capacity units. */
  usdPerLoadBalancerHour: 0.0225,
  /** A classic load balancer, without traffic: the default of Kubernetes' cloud controller. */
  usdPerClassicLoadBalancerHour: 0.025,
  /** Without traffic. */
  usdPerNatGatewayHour: 0.045,
  /** For each subnet that it is in, without traffic. */
  usdPerInterfaceEndpointHour: 0.01,
  /** For a machine, for a load balancer, or unused: all cost the same. */
  usdPerPublicAddressHour: 0.005,
  usdPerHostedZoneMonth: 0.5,
  /** Seven metrics of a machine. */
  usdPerMonitoredMachineMonth: 2.1,
} as const;

/** Instance types whose price is in the table, by families. */
const families: Readonly<Record<string, string>> = instancePrices.families;

/**
 * The hourly price of a machine with Linux; undefined for a type that isn't in the table. Source: the table of
 * Karpenter's AWS provider, which is generated from AWS' price list (`scripts/recordPrices.ts`).
 */
export function usdPerInstanceHour(instanceType: string): number | undefined {
  const [family = "", size = ""] = instanceType.split(".");
  const line = Object.hasOwn(families, family) ? families[family] : undefined;
  const [large, ...sizes] = (line ?? "").split(" ");
  const [, own] = sizes.find((each) => each.split("=")[0] === size)?.split("=") ?? [];
  if (own !== undefined) {
    return Number(own);
  }
  const multiple = sizeMultiple(size);
  return multiple === undefined || !sizes.includes(size) ? undefined : Number(large) * multiple;
}

/** The families of instance types that are in the table. */
export function pricedFamilies(): readonly string[] {
  return Object.keys(families);
}

/** The hourly price of a virtual processor of a family, by its size `large`, which has two; undefined if it isn't in the table. */
export function usdPerProcessorHour(family: string): number | undefined {
  const line = Object.hasOwn(families, family) ? families[family] : undefined;
  const [large] = (line ?? "").split(" ");
  return line === undefined ? undefined : Number(large) / 2;
}

/** The monthly price of a gp3 volume. */
export function usdPerVolumeMonth({
  sizeGib,
  iops = 3_000,
  throughputMib = 125,
}: {
  readonly sizeGib: number;
  readonly iops?: number | undefined;
  readonly throughputMib?: number | undefined;
}): number {
  return (
    sizeGib * PRICES.usdPerGibMonth +
    Math.max(0, iops - 3_000) * PRICES.usdPerOperationMonth +
    Math.max(0, throughputMib - 125) * PRICES.usdPerThroughputMibMonth
  );
}
