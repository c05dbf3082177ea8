import { clusterTag } from "../clusterTag";
import {
  allow,
  inRegion,
  partitionOf,
  type PolicyScope,
  type PolicyStatement,
} from "./policyDocument";

const DRIVER_TAG = "ebs.csi.aws.com/cluster";
/** The tag with the cluster's name, since v1.58 of the driver and with `--k8s-tag-cluster-id`. */
const CLUSTER_NAME_TAG = "ebs.csi.aws.com/cluster-name";

/**
 * The permissions of the EBS CSI driver's controller: for volumes and snapshots that it has tagged
 * as its own, on machines of the cluster. Those with another cluster's name are excluded. Those
 * without a name count as the cluster's: older drivers made them, or drivers without
 * `--k8s-tag-cluster-id`, and existing volumes must stay usable. Source: docs/example-iam-policy.json,
 * AmazonEBSCSIDriverEKSClusterScopedPolicy.json and tagging.md of
 * github.com/kubernetes-sigs/aws-ebs-csi-driver v1.64.0.
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
  const makes = ["ec2:CopyVolumes", "ec2:CreateSnapshot", "ec2:CreateVolume"];
  const tagged = (key: "RequestTag" | "ResourceTag") => ({
    StringEquals: { [`aws:${key}/${DRIVER_TAG}`]: "true" },
    StringEqualsIfExists: { [`aws:${key}/${CLUSTER_NAME_TAG}`]: clusterName },
  });
  const [asks, has] = [tagged("RequestTag"), tagged("ResourceTag")];
  const isMachine = { StringEquals: { [`aws:ResourceTag/${clusterTag(clusterName)}`]: "owned" } };
  const see = [
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeInstances",
    "ec2:DescribeInstanceTypes",
    "ec2:DescribeSnapshots",
    "ec2:DescribeTags",
    "ec2:DescribeVolumes",
    "ec2:DescribeVolumesModifications",
    "ec2:DescribeVolumeStatus",
  ];
  // What a call makes has no tags yet, so the creations among them only name what they copy.
  const change = ["ec2:DeleteSnapshot", "ec2:DeleteVolume", "ec2:ModifyVolume"];
  return [
    allow("EbsCsiSee", see, "*", inRegion(scope)),
    allow("EbsCsiMakeVolume", ["ec2:CopyVolumes", "ec2:CreateVolume"], volumes, asks),
    allow("EbsCsiMakeSnapshot", ["ec2:CreateSnapshot"], snapshots, asks),
    allow("EbsCsiTagNew", ["ec2:CreateTags"], [volumes, snapshots], {
      StringEquals: { "ec2:CreateAction": makes.map((action) => action.replace("ec2:", "")) },
    }),
    allow("EbsCsiAttachToMachine", attach, instances, isMachine),
    // One statement, because IAM limits the length of a role's policies.
    allow("EbsCsiOwn", [...attach, ...makes, ...change], [volumes, snapshots], has),
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
