import type * as pulumi from "@pulumi/pulumi";

/**
 * Permissions of machines in AWS, besides describing machines. Every pod that reaches the metadata
 * service has them too. So choose what runs on control planes and on workers.
 */
export interface NodePermissions {
  /**
   * For control planes: what the AWS cloud controller needs for services of type `LoadBalancer`. It
   * changes and deletes only resources with the cluster's tag. Default: false.
   */
  readonly cloudController?: boolean;
  /**
   * For machines that run the controller of the EBS CSI driver: create, attach and delete volumes
   * that the driver has tagged as its own, on machines of the cluster. Default: false.
   */
  readonly ebsCsi?: boolean;
  /** ARNs of keys that encrypt the driver's volumes, other than AWS' own. Default: none. */
  readonly ebsCsiKmsKeyArns?: readonly string[];
  /** Pull images from ECR. Default: false. */
  readonly ecrPull?: boolean;
  /** ARNs of the repositories to pull from. Default: every repository that allows the account. */
  readonly ecrRepositoryArns?: readonly string[];
  /**
   * For machines that run the cluster autoscaler: resize auto scaling groups with the tag
   * `k8s.io/cluster-autoscaler/<cluster>` = `owned`. Default: false.
   */
  readonly clusterAutoscaler?: boolean;
  /**
   * For machines that run the AWS load balancer controller. It may create load balancers with the
   * tag `elbv2.k8s.aws/cluster` = the cluster's name, change those, and open the cluster's security
   * groups to them. WAF, Shield and Cognito are not included. Default: false.
   */
  readonly loadBalancerController?: boolean;
  /**
   * For machines that run external-dns: ids of the hosted zones in which it may change any record,
   * for example `Z0123456789ABCDEFGHIJ`. Default: none.
   */
  readonly externalDnsZoneIds?: readonly pulumi.Input<string>[];
  /**
   * For control planes that send the API servers' audit log to CloudWatch: name of the log group, in the
   * machines' region. They may add records, and neither read nor delete any. Default: none.
   */
  readonly auditLogGroupName?: string;
  /**
   * For Karpenter: the name of the queue, in the machines' region, that tells it of interruptions. It may launch
   * machines with the cluster's tag, and end those that it has launched. It may pass no role to them: the cluster
   * adds that for the roles of its pools. Default: none.
   */
  readonly karpenterQueueName?: string;
  /**
   * For control planes: ARNs of the keys in KMS by which API servers encrypt Secrets; see
   * `TalosClusterArgs.secretsEncryption`. Machines may encrypt and decrypt with them. Default: none.
   */
  readonly secretsKmsKeyArns?: readonly pulumi.Input<string>[];
  /**
   * ARN of an S3 bucket for snapshots of etcd; with `/folder` at the end, of a folder in it.
   * Machines may read and write there, but not delete, so give the bucket a lifecycle rule. A
   * snapshot contains every secret of the cluster. Default: none.
   */
  readonly etcdBackupArn?: string;
  /** ARN of the KMS key that encrypts that bucket, unless it is S3's own. Default: none. */
  readonly etcdBackupKmsKeyArn?: string;
}
