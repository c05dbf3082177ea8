import { DEFAULT_METADATA_HOP_LIMIT } from "../../machines/makeMachine";
import type { PropertyProblem } from "../../problems";
import { USER_DATA_HOP_LIMIT } from "../../workers/makeLaunchTemplate";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { addOnChoices, isOwn } from "./addOnChoices";

/** As far as answers of the metadata service have to travel for a pod with a network of its own. */
const POD_HOPS = 2;

/**
 * What add-ons need of the metadata service and don't get, and what pods would read there that they must
 * not. Source of the hops: aws-ebs-csi-driver issue 2966, karpenter-provider-aws issue 7200.
 */
export function checkMetadataAccess(args: TalosClusterArgs): PropertyProblem[] {
  return [...checkKeysInUserData(args), ...checkEbsCsi(args)];
}

function checkKeysInUserData({ controlPlane = {} }: TalosClusterArgs): PropertyProblem[] {
  const { delivery, metadataHopLimit = USER_DATA_HOP_LIMIT } = controlPlane;
  if (delivery !== "userData" || metadataHopLimit < POD_HOPS) {
    return [];
  }
  const reason = `with ${metadataHopLimit} hops every pod on a control plane machine reads its user data, where delivery "userData" puts the cluster's keys: leave this out, and have pods that call AWS run in their machine's network or on workers; or set controlPlane.delivery "apply"`;
  return [{ property: "controlPlane.metadataHopLimit", reason }];
}

function checkEbsCsi(args: TalosClusterArgs): PropertyProblem[] {
  const { ebsCsi } = addOnChoices(args.addOns ?? {});
  const limits = hopLimitsForWorkloads(args);
  if (
    ebsCsi === undefined ||
    isOwn(ebsCsi) ||
    ebsCsi.hostNetwork === true ||
    limits.length === 0 ||
    limits.some((limit) => limit >= POD_HOPS)
  ) {
    return [];
  }
  const reason = `its controller's pods call AWS with what the metadata service gives them, and no machine they run on lets them reach it: leave the manifest out, as this package's own objects run where it answers; or give the controller hostNetwork in the manifest and set addOns.ebsCsi.hostNetwork; or set metadataHopLimit ${POD_HOPS} for the pool it runs on (some pod networks take 3), whose pods then read in its user data what machines join with`;
  return [{ property: "addOns.ebsCsi", reason }];
}

/** How far answers travel on machines that workloads run on, by pool; a role of none counts for nothing. */
function hopLimitsForWorkloads(args: TalosClusterArgs): number[] {
  const { controlPlane = {}, workers = {}, workerPools = {}, machineConfiguration = {} } = args;
  const pools = Object.values(workerPools)
    .filter(({ role = workers.role }) => role?.none !== true)
    .map(({ metadataHopLimit = USER_DATA_HOP_LIMIT }) => metadataHopLimit);
  const own = controlPlane.delivery === "userData" ? USER_DATA_HOP_LIMIT : undefined;
  return machineConfiguration.allowSchedulingOnControlPlanes === true
    ? [...pools, controlPlane.metadataHopLimit ?? own ?? DEFAULT_METADATA_HOP_LIMIT]
    : pools;
}
