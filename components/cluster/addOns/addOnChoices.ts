import type {
  AddOnManifest,
  AuditLogAddOn,
  CiliumAddOn,
  CloudControllerAddOn,
  ClusterAddOnsArgs,
  ClusterAutoscalerAddOn,
  EbsCsiAddOn,
  ExternalDnsAddOn,
  LoadBalancerControllerAddOn,
  NodeTerminationHandlerAddOn,
  PinnedAddOn,
} from "../arguments/clusterAddOnsArgs";

/** The add-ons of a cluster, each in its long form. */
export interface AddOnChoices {
  readonly cloudController?: CloudControllerAddOn;
  readonly ebsCsi?: EbsCsiAddOn;
  readonly clusterAutoscaler?: ClusterAutoscalerAddOn;
  readonly loadBalancerController?: LoadBalancerControllerAddOn;
  readonly externalDns?: ExternalDnsAddOn;
  readonly nodeTerminationHandler?: NodeTerminationHandlerAddOn;
  readonly servingCertificateApprover?: PinnedAddOn;
  readonly metricsServer?: PinnedAddOn;
  readonly auditLog?: AuditLogAddOn;
  readonly cilium?: CiliumAddOn;
}

/** Add-ons that call AWS and that this package writes objects for. */
export const AWS_ADD_ONS = [
  "cloudController",
  "ebsCsi",
  "clusterAutoscaler",
  "loadBalancerController",
  "externalDns",
  "auditLog",
] as const;

/** Add-ons that call AWS and that this package writes objects for. */
export type AwsAddOnName = (typeof AWS_ADD_ONS)[number];

/** The settings of each add-on; add-ons that are turned off are left out. */
export function addOnChoices(args: ClusterAddOnsArgs): AddOnChoices {
  const { etcdBackup: _bucket, servingCertificateApprover, ...given } = args;
  const asked = Object.entries(given).flatMap(([name, addOn]: [string, object | boolean]) =>
    addOn === false ? [] : [[name, addOn === true ? {} : addOn] as const],
  );
  const choices = Object.fromEntries(asked) as AddOnChoices;
  const { metricsServer } = choices;
  // The metrics server trusts only certificates that the approver's cluster CA signed, so the
  // approver follows it.
  const usual =
    metricsServer === undefined ? false : !isOwnPinned(metricsServer) || { replicas: 1 };
  const approver = servingCertificateApprover ?? usual;
  return approver === false
    ? choices
    : { ...choices, servingCertificateApprover: approver === true ? {} : approver };
}

/** Whether this package's objects describe an add-on, not a manifest of the user's. */
export function isOwn({ manifest, manifestUrls }: AddOnManifest): boolean {
  return manifest === undefined && manifestUrls === undefined;
}

/**
 * Whether this package's objects describe an add-on that also has a published manifest: they do if
 * its pods are changed.
 */
export function isOwnPinned(addOn: PinnedAddOn): boolean {
  const { replicas, images, resources, extraArgs, tolerations } = addOn;
  return [replicas, images, resources, extraArgs, tolerations].some(
    (choice) => choice !== undefined,
  );
}
