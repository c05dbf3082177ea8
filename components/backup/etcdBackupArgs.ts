import type * as pulumi from "@pulumi/pulumi";

/** What a bucket for snapshots is like. */
export interface EtcdBackupBucketArgs {
  /** ARN of the key in KMS that encrypts what is written. Default: a key of S3's own (`AES256`), free. */
  readonly kmsKeyArn?: string;
  /** How long snapshots are kept, in days. Default: 30. */
  readonly retentionDays?: number;
  /**
   * The bucket is there and stays as it is, with rules of its own for how long it keeps what; `kmsKeyArn`
   * then says what it is encrypted with. Excludes `retentionDays`. Default: false, it is made.
   */
  readonly adopt?: boolean;
}

/** Arguments of `EtcdBackup`. */
export interface EtcdBackupArgs extends EtcdBackupBucketArgs {
  /** Name of the bucket, one among all of AWS'. */
  readonly bucketName: string;
  /** Pulumi refuses to delete the bucket. Default: false. */
  readonly protect?: boolean;
  /** More tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * Snapshots of a cluster's etcd, written to S3 by Sidero's talos-backup, which runs as a CronJob on a
 * control plane machine. It gets a snapshot from the Talos API with a role that gives nothing else.
 *
 * What it may do in AWS every pod may do that reaches the metadata service there: read and overwrite
 * snapshots, not delete them or older versions of them.
 */
export interface EtcdBackupAddOn extends EtcdBackupBucketArgs {
  /**
   * The age public key, `age1…`, that snapshots are encrypted to before they leave the machine: who
   * reads the bucket then reads nothing without its private key, which `age-keygen` makes and you keep
   * elsewhere. Or `none`: whoever may read the bucket, and use its key, has every secret in etcd.
   */
  readonly agePublicKey: string;
  /** When, as a CronJob's `schedule`, UTC. Default: every six hours. */
  readonly schedule?: string;
  /** Default: `<environment>-<domain>-etcd`, with `-` for each dot. */
  readonly bucketName?: string;
  /** The image of talos-backup, of one version. Default: v0.1.0-beta.3 of Sidero's. */
  readonly image?: string;
}
