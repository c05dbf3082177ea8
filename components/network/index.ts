// Why this room is as it is: docs/decisions/network.md.

export { publicZoneKeys } from "./checkNetwork";
export { checkZoneRegions } from "./checkZoneRegions";
export { overlaps, parseCidr } from "./cidr";
export type { PoolTier } from "./planSubnets";
