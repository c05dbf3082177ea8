import type { AddOnChoices } from "../../addOns/addOnChoices";
import { drainSecondsOf, nodeLabelsOf, nodeOptions } from "../../addOns/addOnOptions";
import { workerPermissions } from "../../addOns/addOnPermissions";
import { defined } from "../../defined";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { ChosenClusterArgs, ClusterPlanInput } from "../arguments/chosenClusterArgs";
import type { ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";
import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";

/** Adds what the add-ons need to a cluster's workers: configuration, permissions, time to drain. */
export function workersWithAddOns(
  { workers = {}, workerPools = {}, facts }: ChosenClusterArgs,
  addOns: AddOnChoices,
): Pick<ClusterPlanInput, "workers" | "workerPools"> {
  const permissions = workerPermissions(addOns, facts.addOnCluster);
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

/** A role with more permissions. A role that exists already, or `none`, is not changed. */
export function permit(
  role: ClusterRoleArgs | undefined,
  more: NodePermissions,
): ClusterRoleArgs | undefined {
  const isOurs = role?.none !== true && role?.instanceProfileName === undefined;
  return isOurs && Object.keys(more).length > 0
    ? { ...role, permissions: { ...role?.permissions, ...more } }
    : role;
}

/** A pool's own settings take precedence over those of all pools. */
function withOwn(
  pool: ClusterWorkerPoolArgs,
  addOns: AddOnChoices,
  permissions: NodePermissions,
): ClusterWorkerPoolArgs {
  const { machineConfiguration: own, role } = pool;
  const labels = { ...nodeLabelsOf(addOns, { gpu: pool.gpu }), ...pool.labels };
  const changed = {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(own !== undefined && {
      machineConfiguration: {
        ...own,
        ...(own.kubeletExtraArgs !== undefined &&
          defined({ kubeletExtraArgs: nodeOptions(own, addOns).kubeletExtraArgs })),
      },
    }),
    ...(role !== undefined && { role: permit(role, permissions) ?? role }),
  };
  return pool.autoScaling === undefined
    ? { ...pool, ...changed }
    : {
        ...pool,
        ...changed,
        autoScaling: { ...defined({ drainSeconds: drainSecondsOf(addOns) }), ...pool.autoScaling },
      };
}
