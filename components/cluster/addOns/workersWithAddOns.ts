import { defined } from "../../defined";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { ClusterAddOnsArgs } from "../arguments/clusterAddOnsArgs";
import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { nodeOptions, permit } from "./addOnNodes";

/** A cluster's workers with all that its add-ons need of them: configuration and permissions. */
export function workersWithAddOns(
  { workers = {}, workerPools = {} }: TalosClusterArgs,
  addOns: ClusterAddOnsArgs,
): Required<Pick<TalosClusterArgs, "workers" | "workerPools">> {
  const { ebsCsi } = addOns;
  // Its controller runs on any of them.
  const permissions: NodePermissions =
    ebsCsi === undefined ? {} : defined({ ebsCsi: true, ebsCsiKmsKeyArns: ebsCsi.kmsKeyArns });
  const given = workers.machineConfiguration ?? {};
  const pools = Object.entries(workerPools).map(
    ([name, pool]) => [name, withOwn(pool, addOns, permissions)] as const,
  );
  return {
    workers: defined({
      ...workers,
      machineConfiguration: { ...given, ...nodeOptions(given, addOns) },
      role: permit(workers.role, permissions),
    }),
    workerPools: Object.fromEntries(pools),
  };
}

/** What a pool says itself stands above what is said of all. */
function withOwn(
  pool: ClusterWorkerPoolArgs,
  addOns: ClusterAddOnsArgs,
  permissions: NodePermissions,
): ClusterWorkerPoolArgs {
  const { machineConfiguration: own, role } = pool;
  return {
    ...pool,
    ...(own !== undefined && {
      machineConfiguration: {
        ...own,
        ...(own.kubeletExtraArgs !== undefined &&
          defined({ kubeletExtraArgs: nodeOptions(own, addOns).kubeletExtraArgs })),
      },
    }),
    ...(role !== undefined && { role: permit(role, permissions) ?? role }),
  };
}
