import type * as pulumi from "@pulumi/pulumi";

/**
 * What machines may do in AWS besides seeing themselves and their like. Every pod that reaches the
 * metadata service can do it, too: on control planes and workers alike choose what runs there.
 */
export interface NodePermissions {
  /**
   * For control planes: what the AWS cloud controller does for services of type `LoadBalancer`. It
   * changes and deletes only what has the cluster's tag. Default: false.
   */
  readonly cloudController?: boolean;
  /**
   * For machines on which the controller of the EBS CSI driver runs: to make, attach and delete
   * volumes that the driver has tagged as its own, on machines of the cluster. Default: false.
   */
  readonly ebsCsi?: boolean;
  /** ARNs of keys that encrypt the driver's volumes other than AWS' own. Default: none. */
  readonly ebsCsiKmsKeyArns?: readonly string[];
  /** To pull images from ECR. Default: false. */
  readonly ecrPull?: boolean;
  /** ARNs of the repositories to pull from. Default: every one that lets the account in. */
  readonly ecrRepositoryArns?: readonly string[];
  /**
   * For machines on which the cluster autoscaler runs: to resize auto scaling groups with the tag
   * `k8s.io/cluster-autoscaler/<cluster>` = `owned`. Default: false.
   */
  readonly clusterAutoscaler?: boolean;
  /**
   * For machines on which the AWS load balancer controller runs: to make load balancers with the tag
   * `elbv2.k8s.aws/cluster` = the cluster's name, to change those, and to open the cluster's security groups
   * to them. Without WAF, Shield and Cognito. Default: false.
   */
  readonly loadBalancerController?: boolean;
  /**
   * For machines on which external-dns runs: ids of the hosted zones in which it may change any record, for
   * example `Z0123456789ABCDEFGHIJ`. Default: none.
   */
  readonly externalDnsZoneIds?: readonly pulumi.Input<string>[];
  /**
   * ARN of an S3 bucket, with `/folder` behind it of a folder there, that snapshots of etcd are
   * written to and read from, not deleted: give the bucket a lifecycle rule. A snapshot holds every
   * secret of the cluster. Default: none.
   */
  readonly etcdBackupArn?: string;
  /** ARN of the key in KMS that encrypts that bucket, when it is none of S3's own. Default: none. */
  readonly etcdBackupKmsKeyArn?: string;
}
