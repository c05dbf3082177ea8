import { privateZoneKeys, publicZoneKeys, workerRangeZoneKeys } from "../../network/checkNetwork";
import type { Network } from "../../network/network";
import type { PoolTier } from "../../network/planSubnets";
import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/** The keys of the zones with subnets of each tier. */
export type ClusterZones = Readonly<Record<PoolTier, readonly string[]>>;

/** The keys of the zones with subnets of each tier. */
export function clusterZones(network: TalosClusterArgs["network"]): ClusterZones {
  return {
    public: publicZoneKeys(network),
    private: privateZoneKeys(network),
    worker: workerRangeZoneKeys(network),
  };
}

/** The subnets of a tier, by the keys of their zones. */
export function subnetsOf(network: Network, tier: PoolTier): Network["publicSubnets"] {
  const { publicSubnets, privateSubnets, workerSubnets } = network;
  return { public: publicSubnets, private: privateSubnets, worker: workerSubnets }[tier];
}

/** The sorted keys of the zones of a pool's machines. */
export function workerZoneKeys(
  { subnets = "public", zones }: ClusterWorkerPoolArgs,
  there: ClusterZones,
): readonly string[] {
  const keys = there[subnets];
  return zones === undefined ? keys : keys.filter((key) => zones.includes(key));
}

/** The zones of a pool that have a subnet for the load balancer in front of it, and which subnets. */
export function ingressZones(
  pool: ClusterWorkerPoolArgs,
  there: ClusterZones,
): { readonly tier: PoolTier; readonly zoneKeys: string[] } {
  const { subnets = "public", ingress } = pool;
  const zoneKeys = workerZoneKeys(pool, there);
  const tier = ingress?.internal === true ? subnets : "public";
  return { tier, zoneKeys: zoneKeys.filter((key) => there[tier].includes(key)) };
}
