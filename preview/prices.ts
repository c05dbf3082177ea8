import { priceDate } from "./instancePrices";

/** Hours in a month, the average over four years. */
export const HOURS_PER_MONTH = 730.5;

/**
 * List prices in us-east-1, November 2026 (aws.amazon.com/ebs/pricing, /elasticloadbalancing/pricing, /vpc/pricing,
 * /privatelink/pricing, /cloudwatch/pricing, /route53/pricing). The README, the settings files and the components' doc comments
 * use them. No public table has those of all regions, so a preview uses them everywhere, and says so. Most regions cost
 * more. Instances have a table of their own, by region.
 */
export const PRICES = {
  region: "us-east-1",
  date: "November 2026",
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

/** Where and of when the prices of a stack in these regions are, in a few words. */
export function describePrices(regions: readonly string[]): string {
  const { region: here, date } = PRICES;
  const instances = (region: string) => priceDate(region) ?? "without a date";
  const elsewhere = regions.filter((region) => region !== here);
  if (elsewhere.length === 0) {
    return `list prices in ${here}, on demand, ${date}, of instances ${instances(here)}`;
  }
  const dated = regions.map((region) => `in ${region} ${instances(region)}`);
  return `list prices on demand: of instances ${dated.join(", ")}; of all else in ${here}, ${date}`;
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
