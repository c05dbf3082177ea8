import { permissionsByAddOn } from "../../addOns/addOnPermissions";
import { POD_HOPS } from "../../addOns/common/addOnCluster";
import { DEFAULT_METADATA_HOP_LIMIT } from "../../machines/machineSettings";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { PropertyProblem } from "../../problems";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";

/**
 * What pods would get from a control plane machine, if the metadata service answers them. A pod only has
 * to tolerate the control plane's taint, which Pod Security's `baseline` allows. Source of the hops:
 * aws-ebs-csi-driver issue 2966, karpenter-provider-aws issue 7200.
 */
export function checkMetadataAccess(args: ChosenClusterArgs): PropertyProblem[] {
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
function powersOf(args: ChosenClusterArgs): string[] {
  const { none, instanceProfileName, permissions, managedPolicyArns, statements } =
    args.controlPlane?.role ?? {};
  if (none === true) {
    return [];
  }
  if (instanceProfileName !== undefined) {
    return ["controlPlane.role.instanceProfileName, whose role isn't known here"];
  }
  const ofAddOns = Object.entries(permissionsByAddOn(args.addOns ?? {}, args.facts.addOnCluster))
    .filter(([, needed]) => granted(needed).length > 0)
    .map(([name]) => name);
  return [
    ...ofAddOns.map((name) => `addOns.${name}`),
    ...(args.secretsEncryption === undefined ? [] : ["secretsEncryption"]),
    ...granted(permissions ?? {}).map((name) => `controlPlane.role.permissions.${name}`),
    ...Object.entries({ managedPolicyArns, statements })
      .filter(([, given]) => Object.keys(given ?? {}).length > 0)
      .map(([name]) => `controlPlane.role.${name}`),
  ];
}

function granted(permissions: NodePermissions): string[] {
  return Object.entries(permissions)
    .filter(([, given]: [string, unknown]) =>
      Array.isArray(given) ? given.length > 0 : given !== undefined && given !== false,
    )
    .map(([name]) => name);
}
