export { publicZoneKeys } from "./checkNetwork";
export { checkZoneRegions } from "./checkZoneRegions";
export { overlaps, parseCidr } from "./cidr";
export type { PoolTier } from "./planSubnets";
