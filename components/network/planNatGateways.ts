/** How private subnets reach the internet over IPv4; see `NetworkArgs.nat`. */
export type NatStrategy = (typeof NAT_STRATEGIES)[number];

/** All values. */
export const NAT_STRATEGIES = ["none", "single", "perZone"] as const;

/** One NAT gateway to make. */
export interface NatGatewayPlan {
  /** Ends its resource's name: `nat`, or `nat-<zone key>` where each zone has its own. */
  readonly suffix: string;
  /** Key of the zone whose public subnet it lies in. */
  readonly zoneKey: string;
  /** Keys of the zones whose private subnets it serves. */
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
