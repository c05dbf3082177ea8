import type { EtcdBackupBucketArgs } from "../../backup/etcdBackupArgs";

/** The argument of etcd's snapshots. */
export interface EtcdBackupChoice {
  /**
   * Snapshots of etcd in an S3 bucket. The bucket is created with the cluster, has its `protect`,
   * and the control planes' role writes to it. The namespace `etcd-backup` may call the Talos API,
   * only for snapshots. Default: none.
   */
  readonly etcdBackup?: EtcdBackupAddOn;
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
