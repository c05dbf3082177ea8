import { problemAt } from "../../argumentChecks";
import { DEFAULT_METADATA_HOP_LIMIT } from "../../machines/machineSettings";
import { checkKeyArn } from "../../permissions/planNodePolicy";
import type { PropertyProblem } from "../../problems";
import type { AddOn } from "../common/addOn";
import { type AddOnCluster, POD_HOPS } from "../common/addOnCluster";
import { isOwn } from "../common/addOnManifest";
import type { EbsCsiAddOn } from "./ebsCsiAddOn";
import { EBS_CSI_ACCOUNT, ebsCsiObjects } from "./ebsCsiObjects";

/** The EBS CSI driver; see `ebsCsiObjects`. */
export const ebsCsi: AddOn<EbsCsiAddOn> = {
  manifestName: "aws-ebs-csi-driver",
  charts: ["aws-ebs-csi-driver"],
  removal:
    "volumes stay, and AWS bills them. Pods with volumes start on no other machine, and volumes of deleted claims stay for ever: delete the claims that you no longer need first",
  // kubernetes-sigs/aws-ebs-csi-driver, README.md: what Kubernetes or EKS support at its time. Its
  // sidecars of 2026 need storage's v1 API of 1.34; AWS' builds fall back to older ones. Older minors
  // have an older release.
  releases: [
    { oldestMinor: 31, version: "v1.64.0" },
    { oldestMinor: 28, version: "v1.40.0" },
  ],
  objects: ebsCsiObjects,
  ownSettings: ["storageClass"],
  isReplicated: true,
  aws: {
    permissions: ({ kmsKeyArns }) => ({
      ebsCsi: true,
      ...(kmsKeyArns !== undefined && { ebsCsiKmsKeyArns: kmsKeyArns }),
    }),
    identity: { account: EBS_CSI_ACCOUNT, roleName: "ebs-csi" },
    services: ["ec2"],
    // With a manifest of the user's, the controller can run on any machine with workloads.
    isAnywhere: (addOn) => !isOwn(addOn),
  },
  check: (addOn, cluster) => [
    ...checkKeys(addOn),
    ...(isOwn(addOn) ? checkOwn(addOn) : checkTheirs(addOn, cluster)),
  ],
};

function checkKeys({ kmsKeyArns }: EbsCsiAddOn): PropertyProblem[] {
  return (kmsKeyArns ?? []).flatMap((arn, index) => checkKeyArn(`kmsKeyArns[${index}]`, arn));
}

function checkOwn({ hostNetwork }: EbsCsiAddOn): PropertyProblem[] {
  return problemAt(
    "hostNetwork",
    hostNetwork !== undefined &&
      "it says how a manifest of yours is, and this package's own controller is in its machine's network always: leave it out",
  );
}

/** Problems of machines on which the user's controller can't call AWS. */
function checkTheirs(
  { hostNetwork }: EbsCsiAddOn,
  { pools, runsWorkloads }: AddOnCluster,
): PropertyProblem[] {
  // Control planes with workloads may do the driver's work, so they answer no pod.
  const limits = [
    ...pools
      .filter(({ isPowerless }) => !isPowerless)
      .map(({ metadataHopLimit }) => metadataHopLimit),
    ...(runsWorkloads ? [DEFAULT_METADATA_HOP_LIMIT] : []),
  ];
  const isCut =
    hostNetwork !== true && limits.length > 0 && limits.every((limit) => limit < POD_HOPS);
  const cut = `its controller's pods call AWS with what the metadata service gives them, and no machine they run on lets them reach it: leave the manifest out, as this package's own objects run where it answers; or give the controller hostNetwork in the manifest and set addOns.ebsCsi.hostNetwork; or set metadataHopLimit ${POD_HOPS} for the pool it runs on (some pod networks take 3), whose pods then read in its user data what machines join with`;
  const powerless =
    "it calls AWS, which no worker can whose role is none: give a pool a role, or leave the manifest out";
  return [
    ...problemAt(
      "",
      pools.length > 0 && pools.every(({ isPowerless }) => isPowerless) && powerless,
    ),
    ...problemAt("", isCut && cut),
  ];
}
