import { parseCidr, subrange } from "./cidr";

/** Slots of a tier: one for each letter that the name of a zone can end with. */
const SLOTS_PER_TIER = 8;

/** Whether a subnet's machines are reachable from the internet. */
export type SubnetTier = "public" | "private";

/** The tiers of worker pools: also private subnets in the network's second range. */
export type PoolTier = SubnetTier | "worker";

/**
 * Where the slots of a tier are. The network's range splits into 2^4: first the public ones, then
 * the private ones. Its second range splits into 2^3. In the network's IPv6 range, worker subnets
 * follow the others.
 */
const TIERS: Readonly<Record<PoolTier, { readonly bits: number; readonly ipv6Slot: number }>> = {
  public: { bits: 4, ipv6Slot: 0 },
  private: { bits: 4, ipv6Slot: SLOTS_PER_TIER },
  worker: { bits: 3, ipv6Slot: 2 * SLOTS_PER_TIER },
};

/** How the zones of a network are chosen; see `NetworkArgs`. */
export interface ZoneChoices {
  readonly zones?: readonly string[] | undefined;
  readonly zoneCount?: number | undefined;
}

/** The place of a zone's subnets in the region and in the network's range. */
export interface ZonePlan {
  /** Identifies the zone in the cluster. It is part of resource names, so it never changes. */
  readonly key: string;
  /** The availability zone; undefined if AWS' list decides it. */
  readonly zone: string | undefined;
  /** 0–7. It follows only from the key. */
  readonly slot: number;
}

/** A planned subnet. */
export interface SubnetPlan {
  readonly key: string;
  readonly zone: string | undefined;
  readonly tier: PoolTier;
  /** Its place in the network's IPv6 range, 0–23. */
  readonly slot: number;
  readonly cidrBlock: string;
}

/**
 * The zones of a network. The last letter of a zone's name is its slot, so adding or removing a
 * zone never moves the subnets of another. Counted zones are numbered.
 */
export function planZones({ zones, zoneCount }: ZoneChoices): ZonePlan[] {
  if (zones !== undefined) {
    return zones.map((zone) => ({ key: zone, zone, slot: letterSlot(zone) }));
  }
  return Array.from({ length: zoneCount ?? 0 }, (_, index) => ({
    key: String(index + 1),
    zone: undefined,
    slot: index,
  }));
}

/**
 * One subnet of the tier for each zone.
 *
 * @param cidrBlock the network's range, or its second one for the tier `worker`
 */
export function planSubnets(
  cidrBlock: string,
  zones: readonly ZonePlan[],
  tier: PoolTier,
): SubnetPlan[] {
  const range = parseCidr(cidrBlock);
  const { bits, ipv6Slot } = TIERS[tier];
  const firstSlot = tier === "private" ? SLOTS_PER_TIER : 0;
  return zones.map(({ key, zone, slot }) => ({
    key,
    zone,
    tier,
    slot: ipv6Slot + slot,
    cidrBlock: subrange(range, bits, firstSlot + slot),
  }));
}

/**
 * The first zones by name.
 *
 * @throws Error if the region has fewer
 */
export function firstZones(available: readonly string[], count: number): string[] {
  if (available.length < count) {
    throw new Error(
      `the region has ${available.length} available zones (${available.join(", ")}), not ${count}: count fewer, or take another region`,
    );
  }
  return [...available].sort().slice(0, count);
}

/** The region of an availability zone, for example `us-east-1` of `us-east-1a`. */
export function regionOfZone(zone: string): string {
  return zone.slice(0, -1);
}

function letterSlot(zone: string): number {
  return zone.charCodeAt(zone.length - 1) - "a".charCodeAt(0);
}
