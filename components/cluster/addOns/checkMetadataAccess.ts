import { DEFAULT_METADATA_HOP_LIMIT } from "../../machines/makeMachine";
import type { PropertyProblem } from "../../problems";
import { USER_DATA_HOP_LIMIT } from "../../workers/makeLaunchTemplate";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { addOnChoices, isOwn } from "./addOnChoices";

/** Hops from the metadata service to a pod with its own network. */
const POD_HOPS = 2;

/**
 * All problems of access to the metadata service: add-ons that can't reach it, and pods that would
 * read secrets there. Source of the hops: aws-ebs-csi-driver issue 2966, karpenter-provider-aws
 * issue 7200.
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

/**
 * Hop limits of the machines that run workloads, by pool. Pools with a role of `none` are left out.
 */
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
