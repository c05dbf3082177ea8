import { addOnChoices } from "../../addOns/addOnChoices";
import type { AddOnCluster } from "../../addOns/common/addOnCluster";
import { DEFAULT_MACHINE_COUNT } from "../../controlPlane/controlPlane";
import { DEFAULT_METADATA_HOP_LIMIT } from "../../machines/machineSettings";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterIrsa } from "../plan/clusterIrsa";
import { clusterRanges } from "../plan/planPodNetwork";
import { hasCloudController } from "./hasCloudController";

/** Writes the add-ons of a cluster in their long form, with those that others bring. */
export function chooseAddOns({ addOns, ...others }: TalosClusterArgs): ChosenClusterArgs {
  return addOns === undefined ? others : { ...others, addOns: addOnChoices(addOns) };
}

/** What the add-ons ask of the other arguments. */
export function addOnClusterOf(args: ChosenClusterArgs): AddOnCluster {
  const { environment, domain, dns, cni, cniManifests, machineConfiguration = {} } = args;
  const { controlPlane = {}, workers = {} } = args;
  const { machineCount = DEFAULT_MACHINE_COUNT, role = {} } = controlPlane;
  const pools = Object.values(args.workerPools ?? {});
  const announcesCloudController = machineConfiguration.externalCloudProvider !== undefined;
  return {
    ...{ environment, domain, cni, cniManifests, announcesCloudController },
    ...(dns !== undefined && { dns }),
    kubeSpan: args.kubeSpan === true,
    podCidrs: clusterRanges(args).podCidrs,
    controlPlanes: typeof machineCount === "number" ? machineCount : DEFAULT_MACHINE_COUNT,
    runsWorkloads: machineConfiguration.allowSchedulingOnControlPlanes === true,
    hasOwnRoles: clusterIrsa(args) !== undefined,
    isPowerless: role.none === true,
    permissions: role.permissions ?? {},
    pools: pools.map((pool) => ({
      isPowerless: (pool.role ?? workers.role)?.none === true,
      metadataHopLimit: pool.metadataHopLimit ?? DEFAULT_METADATA_HOP_LIMIT,
    })),
    hasCloudController:
      announcesCloudController || [{}, ...pools].some((pool) => hasCloudController(args, pool)),
  };
}
