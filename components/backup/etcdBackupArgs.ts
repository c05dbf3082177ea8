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
