import { defined } from "../../defined";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { type AddOnChoices, isOwn } from "./addOnChoices";
import { nodeOptions, permit } from "./addOnNodes";

/** Adds what the add-ons need to a cluster's workers: configuration and permissions. */
export function workersWithAddOns(
  { workers = {}, workerPools = {} }: TalosClusterArgs,
  addOns: AddOnChoices,
): Required<Pick<TalosClusterArgs, "workers" | "workerPools">> {
  const { ebsCsi } = addOns;
  // With a manifest of the user's, the controller can run on any of them.
  const permissions: NodePermissions =
    ebsCsi === undefined || isOwn(ebsCsi)
      ? {}
      : defined({ ebsCsi: true, ebsCsiKmsKeyArns: ebsCsi.kmsKeyArns });
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

/** A pool's own settings take precedence over those of all pools. */
function withOwn(
  pool: ClusterWorkerPoolArgs,
  addOns: AddOnChoices,
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
