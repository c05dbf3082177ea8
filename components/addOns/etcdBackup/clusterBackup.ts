import type { AddOnNames } from "../common/addOnCluster";
import type { EtcdBackupAddOn } from "./etcdBackupAddOn";

/** The settings of a cluster's etcd backup, with all defaults filled in. */
export interface ClusterBackup {
  readonly bucketName: string;
  /**
   * The folder in the bucket: the cluster's name in DNS. So several clusters can share a bucket.
   */
  readonly folder: string;
  readonly schedule: string;
  readonly image: string;
  readonly agePublicKey: string;
}

/**
 * The newest release as of November 2026; the tool has only had betas. The images are those of the
 * tags of github.com/siderolabs/talos-backup.
 */
const IMAGE = "ghcr.io/siderolabs/talos-backup:v0.1.0-beta.3";

/** The settings of a cluster's etcd backup. */
export function clusterBackup(names: AddOnNames, addOn: EtcdBackupAddOn): ClusterBackup {
  const { environment, domain, recordName: folder } = names;
  const { bucketName, schedule, image, agePublicKey } = addOn;
  return {
    bucketName: bucketName ?? `${environment}-${domain.replaceAll(".", "-")}-etcd`,
    folder,
    schedule: schedule ?? "0 */6 * * *",
    image: image ?? IMAGE,
    agePublicKey,
  };
}
