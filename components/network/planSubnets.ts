import { parseCidr, subrange } from "./cidr";

/** A network's range splits into 2^4 equal slots: one for each zone and tier. */
const SLOT_BITS = 4;
/** Slots 0–7 hold public subnets, slots 8–15 private ones. */
const SLOTS_PER_TIER = 8;

/** Whether a subnet's machines are reachable from the internet. */
export type SubnetTier = "public" | "private";

/** How the zones of a network are chosen; see `NetworkArgs`. */
export interface ZoneChoices {
  readonly zones?: readonly string[] | undefined;
  readonly zoneCount?: number | undefined;
}

/** Where in the region, and in the network's range, subnets lie. */
export interface ZonePlan {
  /** Names the zone within the cluster; part of resource names, so it never changes. */
  readonly key: string;
  /** The availability zone; undefined when it is whichever AWS lists at this place. */
  readonly zone: string | undefined;
  /** 0–7; depends on nothing but the key. */
  readonly slot: number;
}

/** One subnet to make. */
export interface SubnetPlan {
  readonly key: string;
  readonly zone: string | undefined;
  readonly tier: SubnetTier;
  /** Its place in the network's range, 0–15, in IPv4 and in IPv6. */
  readonly slot: number;
  readonly cidrBlock: string;
}

/**
 * The zones of a network. A named zone's slot is the letter it ends in, so that adding or removing
 * a zone never moves another's subnets; counted zones are numbered.
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

/** One subnet of the tier for each zone. */
export function planSubnets(
  cidrBlock: string,
  zones: readonly ZonePlan[],
  tier: SubnetTier,
): SubnetPlan[] {
  const range = parseCidr(cidrBlock);
  const firstSlot = tier === "public" ? 0 : SLOTS_PER_TIER;
  return zones.map(({ key, zone, slot }) => ({
    key,
    zone,
    tier,
    slot: firstSlot + slot,
    cidrBlock: subrange(range, SLOT_BITS, firstSlot + slot),
  }));
}

/**
 * The zones that a count of them means: the first by name.
 *
 * @throws Error when the region has fewer
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
