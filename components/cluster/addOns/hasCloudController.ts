import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";

/**
 * Whether the machines of a pool wait for a cloud controller, which sets `spec.providerID` of each
 * node. The add-on installs one. `externalCloudProvider` says that the user installs one.
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
