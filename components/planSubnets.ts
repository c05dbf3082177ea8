import { cidrProblem, overlaps, parseCidr, subrange } from "./cidr";
import type { PropertyProblem } from "./problems";

/** How many zones a network can span; no region has more. */
const MAX_ZONES = 6;
/** A network's range splits into 2^4 equal slots: one for each zone and tier. */
const SLOT_BITS = 4;
/** Slots 0–7 hold public subnets, slots 8–15 private ones. */
const SLOTS_PER_TIER = 8;

/** Whether a subnet's machines are reachable from the internet. */
export type SubnetTier = "public" | "private";

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
  readonly cidrBlock: string;
}

/** What a network is planned from; `NetworkArgs` says what each means. */
export interface NetworkChoices {
  readonly cidrBlock: string;
  readonly zones?: readonly string[] | undefined;
  readonly zoneCount?: number | undefined;
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
}

/** All that is wrong with a network's choices. */
export function checkNetwork(choices: NetworkChoices): PropertyProblem[] {
  return [...checkZones(choices), ...checkRanges(choices)];
}

/**
 * The zones of a network. A named zone's slot is the letter it ends in, so that adding or removing
 * a zone never moves another's subnets; counted zones are numbered.
 */
export function planZones({
  zones,
  zoneCount,
}: Pick<NetworkChoices, "zones" | "zoneCount">): ZonePlan[] {
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

function checkZones({ zones, zoneCount }: NetworkChoices): PropertyProblem[] {
  if (zones === undefined) {
    if (zoneCount === undefined) {
      const reason = `no zone is given: name them, as in ["us-east-1a", "us-east-1b", "us-east-1c"], or set zoneCount`;
      return [{ property: "zones", reason }];
    }
    const fine = Number.isInteger(zoneCount) && zoneCount >= 1 && zoneCount <= MAX_ZONES;
    const reason = `a network can't span ${zoneCount} zones: give a number from 1 to ${MAX_ZONES}`;
    return fine ? [] : [{ property: "zoneCount", reason }];
  }
  const problems: PropertyProblem[] = [];
  if (zoneCount !== undefined) {
    const reason = `zones and zoneCount are mutually exclusive: name the zones or count them`;
    problems.push({ property: "zoneCount", reason });
  }
  if (zones.length < 1 || zones.length > MAX_ZONES) {
    const reason = `a network can't span ${zones.length} zones: name 1 to ${MAX_ZONES}`;
    problems.push({ property: "zones", reason });
  }
  for (const [index, zone] of zones.entries()) {
    const reason = zoneProblem(zone, zones, index);
    if (reason !== undefined) {
      problems.push({ property: `zones[${index}]`, reason });
    }
  }
  return problems;
}

function zoneProblem(zone: string, zones: readonly string[], index: number): string | undefined {
  if (!/^[a-z]{2}(-[a-z]+)+-\d+[a-h]$/.test(zone)) {
    return `"${zone}" is no availability zone: write its name as in "us-east-1a" (local zones, Wavelength zones and zone ids can't be used)`;
  }
  const first = zones[0] ?? zone;
  if (regionOfZone(zone) !== regionOfZone(first)) {
    return `"${zone}" is in another region than "${first}": a network lies in one region`;
  }
  return zones.indexOf(zone) < index ? `"${zone}" is named twice` : undefined;
}

function checkRanges({ cidrBlock, podCidrs, serviceCidrs }: NetworkChoices): PropertyProblem[] {
  const ranges = [
    { property: "cidrBlock", what: "machines", text: cidrBlock },
    ...podCidrs.map((text, index) => ({ property: `podCidrs[${index}]`, what: "pods", text })),
    ...serviceCidrs.map((text, index) => ({
      property: `serviceCidrs[${index}]`,
      what: "services",
      text,
    })),
  ];
  const problems: PropertyProblem[] = [];
  const sound: typeof ranges = [];
  for (const range of ranges) {
    const reason =
      cidrProblem(range.text) ?? (range.what === "machines" ? sizeProblem(range.text) : undefined);
    if (reason === undefined) {
      sound.push(range);
    } else {
      problems.push({ property: range.property, reason });
    }
  }
  for (const [index, { property, what, text }] of sound.entries()) {
    const taken = sound
      .slice(0, index)
      .find((other) => overlaps(parseCidr(other.text), parseCidr(text)));
    if (taken !== undefined) {
      const reason = `the range "${text}" of ${what} overlaps the range "${taken.text}" of ${taken.what}: an address would mean two things; move one of them (by default machines have "10.0.0.0/16", pods "10.244.0.0/16", services "10.96.0.0/12")`;
      problems.push({ property, reason });
    }
  }
  return problems;
}

function sizeProblem(cidrBlock: string): string | undefined {
  const { prefixLength } = parseCidr(cidrBlock);
  if (prefixLength >= 16 && prefixLength <= 24) {
    return undefined;
  }
  return `"${cidrBlock}" can't be a network of subnets: AWS allows no network larger than /16, and one smaller than /24 has no room for a load balancer in each subnet`;
}
