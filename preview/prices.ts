/** Hours in a month, the average over four years. */
export const HOURS_PER_MONTH = 730.5;

/**
 * List prices in us-east-1, on demand, November 2026 (aws.amazon.com/ec2/pricing, /ebs/pricing,
 * /elasticloadbalancing/pricing, /vpc/pricing, /privatelink/pricing, /cloudwatch/pricing). The
 * README, the settings files and the components' doc comments use them. Other regions cost more,
 * and some instance types are missing: those have an unknown price, never a guess.
 */
export const PRICES = {
  source: "list prices in us-east-1, on demand, November 2026",
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

/** The hourly price of the size `large`, by family; Linux. Other sizes are multiples. */
const USD_PER_LARGE_HOUR: Readonly<Record<string, number>> = {
  c5: 0.085,
  c6a: 0.0765,
  c6g: 0.068,
  c6i: 0.085,
  c7g: 0.0725,
  c7i: 0.08925,
  m5: 0.096,
  m5a: 0.086,
  m6a: 0.0864,
  m6g: 0.077,
  m6i: 0.096,
  m7a: 0.11592,
  m7g: 0.0816,
  m7i: 0.1008,
  r5: 0.126,
  r6g: 0.1008,
  r6i: 0.126,
  r7g: 0.1071,
  r7i: 0.1323,
  t3: 0.0832,
  t3a: 0.0752,
  t4g: 0.0672,
};

/** The size as a multiple of `large`; not every family has the sizes below. */
const SIZES: Readonly<Record<string, number>> = {
  micro: 1 / 8,
  small: 1 / 4,
  medium: 1 / 2,
  large: 1,
  xlarge: 2,
  "2xlarge": 4,
  "4xlarge": 8,
  "8xlarge": 16,
};

/** The hourly price of a machine; undefined for a type that isn't in the table. */
export function usdPerInstanceHour(instanceType: string): number | undefined {
  const [family = "", size = ""] = instanceType.split(".");
  const multiple = SIZES[size];
  const large = USD_PER_LARGE_HOUR[family];
  if (multiple === undefined || large === undefined) {
    return undefined;
  }
  const isBurstable = family.startsWith("t");
  const smallest = isBurstable ? 1 / 8 : /^[a-z]\d+g/.test(family) ? 1 / 2 : 1;
  const largest = isBurstable ? 4 : 16;
  return multiple < smallest || multiple > largest ? undefined : large * multiple;
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
