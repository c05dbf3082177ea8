import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/**
 * Whether the machines of a pool wait for a cloud controller, which gives each node its `spec.providerID`:
 * by the add-on, or by `externalCloudProvider`, which says that it comes by other means.
 */
export function hasCloudController(
  { addOns, workers }: TalosClusterArgs,
  pool: Pick<ClusterWorkerPoolArgs, "machineConfiguration">,
): boolean {
  const byOption =
    pool.machineConfiguration?.externalCloudProvider ??
    workers?.machineConfiguration?.externalCloudProvider;
  return (addOns?.cloudController ?? false) !== false || byOption !== undefined;
}
