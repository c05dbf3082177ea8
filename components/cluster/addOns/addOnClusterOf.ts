import { talosMinor } from "../../../provider/config";
import type { AddOnCluster } from "../../addOns/common/addOnCluster";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { DEFAULT_METADATA_HOP_LIMIT } from "../../machines/machineSettings";
import type { ClusterChoices } from "../arguments/chosenClusterArgs";
import type { ClusterFacts } from "../plan/clusterFacts";
import { hasCloudController } from "./hasCloudController";

/** What the add-ons ask of the other arguments. */
export function addOnClusterOf(
  args: ClusterChoices,
  { names, irsa, ranges }: Pick<ClusterFacts, "names" | "irsa" | "ranges">,
): AddOnCluster {
  const { environment, domain, cni, cniManifests, machineConfiguration = {} } = args;
  const { controlPlane = {}, workers = {} } = args;
  const { machineCount = DEFAULT_MACHINE_COUNT, role = {} } = controlPlane;
  const pools = Object.values(args.workerPools ?? {});
  const announcesCloudController = machineConfiguration.externalCloudProvider !== undefined;
  return {
    environment,
    domain,
    cni,
    cniManifests,
    announcesCloudController,
    kubeSpan: args.kubeSpan === true,
    podCidrs: ranges.podCidrs,
    talosMinor: typeof args.talosVersion === "string" ? talosMinor(args.talosVersion) : undefined,
    recordName: names.recordName,
    controlPlanes: typeof machineCount === "number" ? machineCount : DEFAULT_MACHINE_COUNT,
    runsWorkloads: machineConfiguration.allowSchedulingOnControlPlanes === true,
    hasOwnRoles: irsa !== undefined,
    isPowerless: role.none === true,
    permissions: role.permissions ?? {},
    pools: pools.map((pool) => ({
      isPowerless: (pool.role ?? workers.role)?.none === true,
      metadataHopLimit: pool.metadataHopLimit ?? DEFAULT_METADATA_HOP_LIMIT,
      gpu: pool.gpu,
    })),
    hasCloudController:
      announcesCloudController || [{}, ...pools].some((pool) => hasCloudController(args, pool)),
  };
}
