/** Hours in a month, the average over four years. */
export const HOURS_PER_MONTH = 730.5;

/**
 * List prices in us-east-1, on demand, November 2026: those that the README, the settings files and
 * the doc comments of the components go by. Other regions cost more, and some instance types aren't
 * here: what isn't known is said to be unknown, not guessed.
 */
export const PRICES = {
  source: "list prices in us-east-1, on demand, November 2026",
  usdPerInstanceHour: {
    "m6i.large": 0.096,
    "m6i.xlarge": 0.192,
    "t3.large": 0.0832,
    "t3.medium": 0.0416,
  } as Readonly<Record<string, number>>,
  /** gp3, with the throughput and operations that are included. */
  usdPerGibMonth: 0.08,
  /** A network load balancer, without its capacity units. */
  usdPerLoadBalancerHour: 0.0225,
  /** Without traffic. */
  usdPerNatGatewayHour: 0.045,
  usdPerPublicAddressHour: 0.005,
  usdPerHostedZoneMonth: 0.5,
} as const;
