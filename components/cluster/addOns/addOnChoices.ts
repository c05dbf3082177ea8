import type {
  AddOnManifest,
  CiliumAddOn,
  CloudControllerAddOn,
  ClusterAddOnsArgs,
  ClusterAutoscalerAddOn,
  EbsCsiAddOn,
  ExternalDnsAddOn,
  LoadBalancerControllerAddOn,
  PinnedAddOn,
} from "../arguments/clusterAddOnsArgs";

/** Add-ons that are asked for, in their long form. */
export interface AddOnChoices {
  readonly cloudController?: CloudControllerAddOn;
  readonly ebsCsi?: EbsCsiAddOn;
  readonly clusterAutoscaler?: ClusterAutoscalerAddOn;
  readonly loadBalancerController?: LoadBalancerControllerAddOn;
  readonly externalDns?: ExternalDnsAddOn;
  readonly servingCertificateApprover?: PinnedAddOn;
  readonly metricsServer?: PinnedAddOn;
  readonly cilium?: CiliumAddOn;
}

/** Add-ons that call AWS, and that this package has objects of. */
export const AWS_ADD_ONS = [
  "cloudController",
  "ebsCsi",
  "clusterAutoscaler",
  "loadBalancerController",
  "externalDns",
] as const;

/** Add-ons that call AWS, and that this package has objects of. */
export type AwsAddOnName = (typeof AWS_ADD_ONS)[number];

/** What each add-on is asked to be; those that aren't asked for are left out. */
export function addOnChoices(args: ClusterAddOnsArgs): AddOnChoices {
  const { etcdBackup: _bucket, servingCertificateApprover, ...given } = args;
  const asked = Object.entries(given).flatMap(([name, addOn]: [string, object | boolean]) =>
    addOn === false ? [] : [[name, addOn === true ? {} : addOn] as const],
  );
  const choices = Object.fromEntries(asked) as AddOnChoices;
  const { metricsServer } = choices;
  // The metrics server trusts no other certificates; its approver comes as it does.
  const usual =
    metricsServer === undefined ? false : !isOwnPinned(metricsServer) || { replicas: 1 };
  const approver = servingCertificateApprover ?? usual;
  return approver === false
    ? choices
    : { ...choices, servingCertificateApprover: approver === true ? {} : approver };
}

/** Whether an add-on is of this package's objects, not of a manifest of the user's. */
export function isOwn({ manifest, manifestUrls }: AddOnManifest): boolean {
  return manifest === undefined && manifestUrls === undefined;
}

/** Whether an add-on with a published manifest is of this package's objects, as it is changed. */
export function isOwnPinned(addOn: PinnedAddOn): boolean {
  const { replicas, resources, extraArgs, tolerations } = addOn;
  return [replicas, resources, extraArgs, tolerations].some((choice) => choice !== undefined);
}
