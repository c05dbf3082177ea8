import { DEFAULT_METADATA_HOP_LIMIT } from "../../machines/machineSettings";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { PropertyProblem } from "../../problems";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { addOnChoices, isOwn } from "./addOnChoices";
import { controlPlanePermissions } from "./controlPlanePermissions";

/** Hops from the metadata service to a pod with its own network. */
const POD_HOPS = 2;

/** The add-on that a control plane's role has each permission for. */
const ADD_ON_OF: Readonly<Record<keyof NodePermissions, string | undefined>> = {
  cloudController: "cloudController",
  ebsCsi: "ebsCsi",
  ebsCsiKmsKeyArns: undefined,
  ecrPull: undefined,
  ecrRepositoryArns: undefined,
  clusterAutoscaler: "clusterAutoscaler",
  loadBalancerController: "loadBalancerController",
  externalDnsZoneIds: "externalDns",
  auditLogGroupName: "auditLog",
  etcdBackupArn: "etcdBackup",
  etcdBackupKmsKeyArn: undefined,
};

/**
 * All problems of access to the metadata service: add-ons that can't reach it, and pods that would
 * read secrets there. Source of the hops: aws-ebs-csi-driver issue 2966, karpenter-provider-aws
 * issue 7200.
 */
export function checkMetadataAccess(args: TalosClusterArgs): PropertyProblem[] {
  return [...checkControlPlane(args), ...checkEbsCsi(args)];
}

/**
 * What pods would get from a control plane machine. A pod only has to tolerate the control plane's
 * taint, which Pod Security's `baseline` allows.
 */
function checkControlPlane(args: TalosClusterArgs): PropertyProblem[] {
  const { delivery, metadataHopLimit: hops = DEFAULT_METADATA_HOP_LIMIT } = args.controlPlane ?? {};
  if (hops < POD_HOPS) {
    return [];
  }
  const property = "controlPlane.metadataHopLimit";
  const instead =
    "leave this out, and have pods that call AWS run in their machine's network or on workers, or with IAM roles of their own (irsa)";
  if (delivery === "userData") {
    const reason = `with ${hops} hops every pod on a control plane machine reads its user data, where delivery "userData" puts the cluster's keys: ${instead}; or set controlPlane.delivery "apply"`;
    return [{ property, reason }];
  }
  const powers = powersOf(args);
  const reason = `with ${hops} hops every pod on a control plane machine has the machine's role, which may do more than describe machines, by ${powers.join(", ")}: ${instead}`;
  return powers.length === 0 ? [] : [{ property, reason }];
}

/** The arguments by which the control plane's role may do more than describe machines. */
function powersOf(args: TalosClusterArgs): string[] {
  const { none, instanceProfileName, permissions, managedPolicyArns, statements } =
    args.controlPlane?.role ?? {};
  if (none === true) {
    return [];
  }
  if (instanceProfileName !== undefined) {
    return ["controlPlane.role.instanceProfileName, whose role isn't known here"];
  }
  const ofAddOns = granted(controlPlanePermissions(args)).flatMap((name) => ADD_ON_OF[name] ?? []);
  return [
    ...ofAddOns.map((name) => `addOns.${name}`),
    ...granted(permissions ?? {}).map((name) => `controlPlane.role.permissions.${name}`),
    ...Object.entries({ managedPolicyArns, statements })
      .filter(([, given]) => Object.keys(given ?? {}).length > 0)
      .map(([name]) => `controlPlane.role.${name}`),
  ];
}

function granted(permissions: NodePermissions): (keyof NodePermissions)[] {
  return (Object.keys(ADD_ON_OF) as (keyof NodePermissions)[]).filter((name) => {
    const given = permissions[name];
    return Array.isArray(given) ? given.length > 0 : given !== undefined && given !== false;
  });
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
 * Control planes with workloads may do the driver's work, so they answer no pod.
 */
function hopLimitsForWorkloads(args: TalosClusterArgs): number[] {
  const { workers = {}, workerPools = {}, machineConfiguration = {} } = args;
  const pools = Object.values(workerPools)
    .filter(({ role = workers.role }) => role?.none !== true)
    .map(({ metadataHopLimit = DEFAULT_METADATA_HOP_LIMIT }) => metadataHopLimit);
  return machineConfiguration.allowSchedulingOnControlPlanes === true
    ? [...pools, DEFAULT_METADATA_HOP_LIMIT]
    : pools;
}
