import { problemAt } from "../argumentChecks";
import type { PropertyProblem } from "../problems";
import type { NodePermissions } from "./nodePermissions";
import { logGroupNameProblem, planAuditLog } from "./planAuditLog";
import { planCloudController } from "./planCloudController";
import { planEbsCsi } from "./planEbsCsi";
import { planExternalDns } from "./planExternalDns";
import { planKarpenter, queueNameProblem } from "./planKarpenter";
import { planLoadBalancerController } from "./planLoadBalancerController";
import {
  type PolicyDocument,
  type PolicyScope,
  type PolicyStatement,
  allow,
  inRegion,
  mergeAlike,
  partitionOf,
  policyOf,
} from "./policyDocument";

/** Permissions with all values known. */
export type KnownPermissions = Omit<NodePermissions, "externalDnsZoneIds" | "secretsKmsKeyArns"> & {
  readonly externalDnsZoneIds?: readonly string[];
  readonly secretsKmsKeyArns?: readonly string[];
};

/**
 * The trust policy of a machine's role: EC2, for its machines. In China EC2 has a name of its own, and
 * takes the usual one, too. Source: IAM user guide for China, "Service principals".
 *
 * @param region the machines' region
 */
export function planMachineTrust(region: string): PolicyDocument {
  const isChina = partitionOf(region) === "aws-cn";
  return policyOf([
    {
      Sid: "Machines",
      Effect: "Allow",
      Action: ["sts:AssumeRole"],
      Principal: {
        Service: isChina ? ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] : "ec2.amazonaws.com",
      },
    },
  ]);
}

/**
 * The fewest permissions of machines: to describe EC2 instances, which AWS can limit only to a
 * region, and the requested permissions. Talos itself calls no AWS API: it uses the metadata
 * service.
 */
export function planNodePolicy(
  scope: PolicyScope,
  permissions: KnownPermissions = {},
): PolicyDocument {
  const see = ["ec2:DescribeInstances", "ec2:DescribeRegions"];
  const everyMachine = allow("DescribeMachines", see, "*", inRegion(scope));
  return policyOf(mergeAlike([everyMachine, ...planPermissions(scope, permissions)]));
}

/** Maximum characters of all inline policies of a role together (IAM quotas). */
const MAX_INLINE_POLICIES = 10_240;

/**
 * The policy of a role as IAM reads it.
 *
 * @throws Error if the policy is longer than IAM accepts
 */
export function policyText(policy: PolicyDocument): string {
  const text = JSON.stringify(policy);
  if (text.length > MAX_INLINE_POLICIES) {
    throw new Error(
      `the policy of a role has ${text.length} characters, and IAM has room for ${MAX_INLINE_POLICIES}: leave out a permission, or set irsa, by which add-ons of this package have roles of their own`,
    );
  }
  return text;
}

/** The statements for `permissions`, besides those of every machine. */
export function planPermissions(
  scope: PolicyScope,
  permissions: KnownPermissions,
): PolicyStatement[] {
  return [
    ...(permissions.cloudController === true ? planCloudController(scope) : []),
    ...(permissions.ebsCsi === true ? planEbsCsi(scope, permissions.ebsCsiKmsKeyArns) : []),
    ...(permissions.ecrPull === true ? planEcrPull(scope, permissions.ecrRepositoryArns) : []),
    ...(permissions.clusterAutoscaler === true ? planAutoscaler(scope) : []),
    ...(permissions.loadBalancerController === true ? planLoadBalancerController(scope) : []),
    ...planExternalDns(scope, permissions.externalDnsZoneIds ?? []),
    ...planAuditLog(scope, permissions.auditLogGroupName),
    ...planKarpenter(scope, permissions.karpenterQueueName),
    ...planSecretsKeys(permissions.secretsKmsKeyArns ?? []),
    ...planBackup(scope, permissions),
  ];
}

/** All problems of permissions. */
export function checkNodePermissions(permissions: NodePermissions): PropertyProblem[] {
  const { ebsCsi, ebsCsiKmsKeyArns, ecrPull, ecrRepositoryArns, etcdBackupArn } = permissions;
  const { etcdBackupKmsKeyArn: backupKey, auditLogGroupName, karpenterQueueName } = permissions;
  const needs = (property: string, isGiven: boolean, needed: string, has?: boolean) =>
    problemAt(
      property,
      isGiven && has !== true && `it has no effect without ${needed}: set that, or leave this out`,
    );
  const arns = (property: string, values: readonly string[] = [], service: string) =>
    values.flatMap((value, index) =>
      problemAt(`${property}[${index}]`, arnProblem(value, service)),
    );
  const backup = etcdBackupArn === undefined ? undefined : arnProblem(etcdBackupArn, "s3");
  const badGroup =
    auditLogGroupName === undefined ? undefined : logGroupNameProblem(auditLogGroupName);
  const badQueue =
    karpenterQueueName === undefined ? undefined : queueNameProblem(karpenterQueueName);
  const badKey = backupKey === undefined ? undefined : arnProblem(backupKey, "kms");
  return [
    ...needs("ebsCsiKmsKeyArns", ebsCsiKmsKeyArns !== undefined, "ebsCsi", ebsCsi),
    ...arns("ebsCsiKmsKeyArns", ebsCsiKmsKeyArns, "kms"),
    ...needs("ecrRepositoryArns", ecrRepositoryArns !== undefined, "ecrPull", ecrPull),
    ...arns("ecrRepositoryArns", ecrRepositoryArns, "ecr"),
    ...checkZoneIds("externalDnsZoneIds", permissions.externalDnsZoneIds),
    ...arns("secretsKmsKeyArns", (permissions.secretsKmsKeyArns ?? []).filter(isText), "kms"),
    ...problemAt("auditLogGroupName", badGroup),
    ...problemAt("karpenterQueueName", badQueue),
    ...problemAt("etcdBackupArn", backup),
    ...needs(
      "etcdBackupKmsKeyArn",
      backupKey !== undefined,
      "etcdBackupArn",
      etcdBackupArn !== undefined,
    ),
    ...problemAt("etcdBackupKmsKeyArn", badKey),
  ];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** All problems of the ids of hosted zones that are known. */
export function checkZoneIds(
  property: string,
  zoneIds: readonly unknown[] = [],
): PropertyProblem[] {
  return zoneIds.flatMap((id, index) =>
    problemAt(
      `${property}[${index}]`,
      typeof id === "string" &&
        !/^Z[A-Z0-9]{1,31}$/.test(id) &&
        `"${id}" is no id of a hosted zone: write it as in "Z0123456789ABCDEFGHIJ"`,
    ),
  );
}

/** The problem of the ARN of a key in KMS. */
export function checkKeyArn(property: string, arn: string): PropertyProblem[] {
  return problemAt(property, arnProblem(arn, "kms"));
}

function planEcrPull(
  scope: PolicyScope,
  repositoryArns = [`arn:${partitionOf(scope.region)}:ecr:*:*:repository/*`] as readonly string[],
): PolicyStatement[] {
  const pull = [
    "ecr:BatchCheckLayerAvailability",
    "ecr:BatchGetImage",
    "ecr:DescribeRepositories",
    "ecr:GetDownloadUrlForLayer",
    "ecr:GetRepositoryPolicy",
    "ecr:ListImages",
  ];
  return [
    // AWS has no narrower resource for it; the token alone gives no access.
    allow("EcrLogIn", ["ecr:GetAuthorizationToken"], "*"),
    allow("EcrPull", pull, repositoryArns),
  ];
}

/**
 * The permissions of the cluster autoscaler. It may not read launch templates, whose user data has
 * what machines join with: groups that it scales name their types themselves (`planMachineMix`).
 */
function planAutoscaler(scope: PolicyScope): PolicyStatement[] {
  const see = [
    "autoscaling:DescribeAutoScalingGroups",
    "autoscaling:DescribeAutoScalingInstances",
    "autoscaling:DescribeScalingActivities",
    "autoscaling:DescribeTags",
    "ec2:DescribeInstanceTypes",
  ];
  const resize = [
    "autoscaling:SetDesiredCapacity",
    "autoscaling:TerminateInstanceInAutoScalingGroup",
  ];
  const tag = `aws:ResourceTag/k8s.io/cluster-autoscaler/${scope.clusterName}`;
  return [
    allow("AutoscalerSee", see, "*", inRegion(scope)),
    allow("AutoscalerResize", resize, "*", { StringEquals: { [tag]: "owned" } }),
  ];
}

/** What the plugin of an API server calls: aws-encryption-provider, `pkg/plugin/plugin_v2.go`. */
function planSecretsKeys(keyArns: readonly string[]): PolicyStatement[] {
  return keyArns.length === 0
    ? []
    : [allow("EncryptSecrets", ["kms:Decrypt", "kms:Encrypt"], keyArns)];
}

function planBackup(
  { region }: PolicyScope,
  { etcdBackupArn, etcdBackupKmsKeyArn }: KnownPermissions,
): PolicyStatement[] {
  if (etcdBackupArn === undefined) {
    return [];
  }
  // A role can't use a bucket of another partition.
  const arn = etcdBackupArn.replace(/^arn:aws[a-z-]*:/, `arn:${partitionOf(region)}:`);
  const [bucketArn = arn, ...folders] = arn.split("/");
  const folder = folders.join("/");
  const write = ["s3:AbortMultipartUpload", "s3:GetObject", "s3:PutObject"];
  return [
    allow(
      "EtcdBackupList",
      ["s3:ListBucket"],
      bucketArn,
      folder === "" ? undefined : { StringLike: { "s3:prefix": [folder, `${folder}/*`] } },
    ),
    allow("EtcdBackupWrite", write, `${arn}/*`),
    // Large objects are uploaded in parts, which S3 reads again to combine them.
    ...(etcdBackupKmsKeyArn === undefined
      ? []
      : [allow("EtcdBackupUseKey", ["kms:Decrypt", "kms:GenerateDataKey"], etcdBackupKmsKeyArn)]),
  ];
}

function arnProblem(value: string, service: string): string | undefined {
  const isOf = new RegExp(`^arn:aws[a-z-]*:${service}:[^\\s*?]+[^\\s/]$`).test(value);
  return isOf
    ? undefined
    : `"${value}" is no ARN of ${service}: write it in full, without wildcards, as in "${EXAMPLES[service] ?? ""}"`;
}

const EXAMPLES: Readonly<Record<string, string>> = {
  ecr: "arn:aws:ecr:us-east-1:123456789012:repository/app",
  kms: "arn:aws:kms:us-east-1:123456789012:key/0123abcd-0123-abcd-0123-0123456789ab",
  s3: "arn:aws:s3:::backups/prod",
};
