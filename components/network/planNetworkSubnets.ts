import { privateZoneKeys, publicZoneKeys, workerRangeZoneKeys } from "./checkNetwork";
import { DEFAULT_NETWORK_CIDR, type NetworkChoices } from "./networkArgs";
import { planSubnets, planZones, type SubnetPlan } from "./planSubnets";

/** All subnets that are made of a network's ranges; none in an adopted one. */
export function planNetworkSubnets(
  choices: Omit<NetworkChoices, "podCidrs" | "serviceCidrs">,
): SubnetPlan[] {
  const { adopt, cidrBlock = DEFAULT_NETWORK_CIDR, workerCidrBlock = cidrBlock } = choices;
  const zones = planZones(choices);
  const tiers = [
    publicZoneKeys(choices).length > 0 ? planSubnets(cidrBlock, zones, "public") : [],
    privateZoneKeys(choices).length > 0 ? planSubnets(cidrBlock, zones, "private") : [],
    workerRangeZoneKeys(choices).length > 0 ? planSubnets(workerCidrBlock, zones, "worker") : [],
  ];
  return adopt === undefined ? tiers.flat() : [];
}
