import { privateZoneKeys, publicZoneKeys } from "../network/checkNetwork";
import type { ClusterWorkerPoolArgs } from "./arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";

/** The sorted keys of the zones of a pool's machines. */
export function workerZoneKeys(
  { subnets, zones }: ClusterWorkerPoolArgs,
  network: TalosClusterArgs["network"],
): string[] {
  const there = subnets === "private" ? privateZoneKeys(network) : publicZoneKeys(network);
  return zones === undefined ? there : there.filter((key) => zones.includes(key));
}

/** The zones of a pool that have a subnet for the load balancer in front of it, and which subnets. */
export function ingressZones(
  pool: ClusterWorkerPoolArgs,
  network: TalosClusterArgs["network"],
): { readonly tier: "public" | "private"; readonly zoneKeys: string[] } {
  const zoneKeys = workerZoneKeys(pool, network);
  if (pool.ingress?.internal === true && pool.subnets === "private") {
    return { tier: "private", zoneKeys };
  }
  const outside = publicZoneKeys(network);
  return { tier: "public", zoneKeys: zoneKeys.filter((key) => outside.includes(key)) };
}
