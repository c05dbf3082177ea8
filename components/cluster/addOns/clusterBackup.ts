import type { EtcdBackupAddOn } from "../../backup/etcdBackupArgs";
import { clusterNames, type NameChoices } from "../../endpoint/clusterNames";

/** How a cluster's etcd is backed up, with all that is left out filled in. */
export interface ClusterBackup {
  readonly bucketName: string;
  /** The folder in the bucket, which is the cluster's name in DNS: several clusters can share one. */
  readonly folder: string;
  readonly schedule: string;
  readonly image: string;
  readonly agePublicKey: string;
}

/**
 * The newest release there is in November 2026; the tool has had betas only. Its repository,
 * github.com/siderolabs/talos-backup, lists no image but those of its tags.
 */
const IMAGE = "ghcr.io/siderolabs/talos-backup:v0.1.0-beta.3";

/** How a cluster's etcd is backed up. */
export function clusterBackup(args: NameChoices, addOn: EtcdBackupAddOn): ClusterBackup {
  const { environment, domain } = args;
  const { bucketName, schedule, image, agePublicKey } = addOn;
  return {
    bucketName: bucketName ?? `${environment}-${domain.replaceAll(".", "-")}-etcd`,
    folder: clusterNames(args).recordName,
    schedule: schedule ?? "0 */6 * * *",
    image: image ?? IMAGE,
    agePublicKey,
  };
}
