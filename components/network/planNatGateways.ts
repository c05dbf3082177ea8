/** How private subnets reach the internet over IPv4; see `NetworkArgs.nat`. */
export type NatStrategy = (typeof NAT_STRATEGIES)[number];

/** All values. */
export const NAT_STRATEGIES = ["none", "single", "perZone"] as const;

/** A planned NAT gateway. */
export interface NatGatewayPlan {
  /** Suffix of its resource's name: `nat`, or `nat-<zone key>` with one per zone. */
  readonly suffix: string;
  /** Key of the zone of its public subnet. */
  readonly zoneKey: string;
  /** Keys of the zones whose private subnets use it. */
  readonly serves: readonly string[];
}

/**
 * The NAT gateways of a network.
 *
 * @param natZone key of the zone for a single one; undefined: the first
 */
export function planNatGateways(
  zoneKeys: readonly string[],
  strategy: NatStrategy,
  natZone?: string,
): NatGatewayPlan[] {
  const [first] = zoneKeys;
  if (strategy === "none" || first === undefined) {
    return [];
  }
  if (strategy === "single") {
    return [{ suffix: "nat", zoneKey: natZone ?? first, serves: zoneKeys }];
  }
  return zoneKeys.map((zoneKey) => ({ suffix: `nat-${zoneKey}`, zoneKey, serves: [zoneKey] }));
}
