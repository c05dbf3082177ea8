import { publicZoneKeys } from "../components/network/checkNetwork";
import { DEFAULT_WORKER_TYPE } from "../components/workers/checkWorkers";
import { type CostLine, planClusterCost } from "../components/cost/planClusterCost";
import type { KnownClusterArgs } from "./settings";

/** What an environment costs a month; `planClusterCost` says what is left out. */
export function planEnvironmentCost(cluster: KnownClusterArgs): readonly CostLine[] {
  const { network, controlPlane, exposure, dns, workerPools } = cluster;
  const pools = Object.entries(workerPools).map(
    ([name, { instanceType = DEFAULT_WORKER_TYPE, ...pool }]) =>
      [name, { ...pool, instanceType }] as const,
  );
  return planClusterCost({
    ...controlPlane,
    zoneCount: publicZoneKeys(network).length,
    exposure,
    nat: network.nat,
    flowLogs: network.flowLogs,
    createZone: dns.createZone,
    etcdBackup: cluster.addOns?.etcdBackup !== undefined,
    workerPools: Object.fromEntries(pools),
  });
}
