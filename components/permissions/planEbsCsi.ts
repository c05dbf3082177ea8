import { clusterTag } from "../clusterTag";
import {
  allow,
  inRegion,
  partitionOf,
  type PolicyScope,
  type PolicyStatement,
} from "./policyDocument";

/** The tag of everything that the driver creates. */
const DRIVER_TAG = "ebs.csi.aws.com/cluster";

/**
 * The permissions of the EBS CSI driver's controller: for volumes and snapshots that it has tagged
 * as its own, on machines of the cluster. The tag doesn't name a cluster. So clusters in one
 * account that use the driver could take each other's volumes. Source: docs/install.md of
 * github.com/kubernetes-sigs/aws-ebs-csi-driver.
 *
 * @param kmsKeyArns keys that encrypt volumes other than AWS' own
 */
export function planEbsCsi(
  scope: PolicyScope,
  kmsKeyArns: readonly string[] = [],
): PolicyStatement[] {
  const { region, clusterName } = scope;
  const ec2 = `arn:${partitionOf(region)}:ec2:${region}:*`;
  const [instances, volumes] = [`${ec2}:instance/*`, `${ec2}:volume/*`];
  // Snapshots' ARNs name no account.
  const snapshots = `arn:${partitionOf(region)}:ec2:${region}::snapshot/*`;
  const attach = ["ec2:AttachVolume", "ec2:DetachVolume"];
  const makes = ["ec2:CreateSnapshot", "ec2:CreateVolume"];
  const asks = { StringEquals: { [`aws:RequestTag/${DRIVER_TAG}`]: "true" } };
  const has = { StringEquals: { [`aws:ResourceTag/${DRIVER_TAG}`]: "true" } };
  const isMachine = { StringEquals: { [`aws:ResourceTag/${clusterTag(clusterName)}`]: "owned" } };
  const see = [
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeSnapshots",
    "ec2:DescribeTags",
    "ec2:DescribeVolumes",
    "ec2:DescribeVolumesModifications",
    "ec2:DescribeVolumeStatus",
  ];
  return [
    allow("EbsCsiSee", see, "*", inRegion(scope)),
    allow("EbsCsiMakeVolume", ["ec2:CreateVolume"], volumes, asks),
    allow("EbsCsiMakeSnapshot", ["ec2:CreateSnapshot"], snapshots, asks),
    allow("EbsCsiMakeOfVolume", ["ec2:CreateSnapshot"], volumes, has),
    allow("EbsCsiMakeOfSnapshot", ["ec2:CreateVolume"], snapshots, has),
    allow("EbsCsiTagNew", ["ec2:CreateTags"], [volumes, snapshots], {
      StringEquals: { "ec2:CreateAction": makes.map((action) => action.replace("ec2:", "")) },
    }),
    allow("EbsCsiAttachToMachine", attach, instances, isMachine),
    allow("EbsCsiAttachVolume", [...attach, "ec2:DeleteVolume", "ec2:ModifyVolume"], volumes, has),
    allow("EbsCsiDeleteSnapshot", ["ec2:DeleteSnapshot"], snapshots, has),
    ...(kmsKeyArns.length === 0 ? [] : planKeys(kmsKeyArns)),
  ];
}

function planKeys(kmsKeyArns: readonly string[]): PolicyStatement[] {
  const use = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey*"];
  return [
    allow("EbsCsiUseKeys", [...use, "kms:ReEncrypt*"], kmsKeyArns),
    // A volume uses its key through a grant, which only AWS' own services may request.
    allow("EbsCsiLendKeys", ["kms:CreateGrant"], kmsKeyArns, {
      Bool: { "kms:GrantIsForAWSResource": "true" },
    }),
  ];
}
