import { privateZoneKeys, publicZoneKeys, workerRangeZoneKeys } from "../../network/checkNetwork";
import type { Network } from "../../network/network";
import type { PoolTier } from "../../network/planSubnets";
import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/** The zones with subnets of a tier. */
export const ZONES_OF: Readonly<
  Record<PoolTier, (network: TalosClusterArgs["network"]) => string[]>
> = {
  public: publicZoneKeys,
  private: privateZoneKeys,
  worker: workerRangeZoneKeys,
};

/** The subnets of a tier, by the keys of their zones. */
export function subnetsOf(network: Network, tier: PoolTier): Network["publicSubnets"] {
  const { publicSubnets, privateSubnets, workerSubnets } = network;
  return { public: publicSubnets, private: privateSubnets, worker: workerSubnets }[tier];
}

/** The sorted keys of the zones of a pool's machines. */
export function workerZoneKeys(
  { subnets = "public", zones }: ClusterWorkerPoolArgs,
  network: TalosClusterArgs["network"],
): string[] {
  const there = ZONES_OF[subnets](network);
  return zones === undefined ? there : there.filter((key) => zones.includes(key));
}

/** The zones of a pool that have a subnet for the load balancer in front of it, and which subnets. */
export function ingressZones(
  pool: ClusterWorkerPoolArgs,
  network: TalosClusterArgs["network"],
): { readonly tier: PoolTier; readonly zoneKeys: string[] } {
  const { subnets = "public", ingress } = pool;
  const zoneKeys = workerZoneKeys(pool, network);
  const tier = ingress?.internal === true ? subnets : "public";
  const there = ZONES_OF[tier](network);
  return { tier, zoneKeys: zoneKeys.filter((key) => there.includes(key)) };
}
