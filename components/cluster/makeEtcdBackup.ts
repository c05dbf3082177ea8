import type * as pulumi from "@pulumi/pulumi";
import { EtcdBackup } from "../backup/etcdBackup";
import { defined } from "../defined";
import { clusterBackup } from "./addOns/clusterBackup";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";

/**
 * Makes the bucket for snapshots of a cluster's etcd, where they are asked for.
 *
 * @param child options of a child of the cluster
 */
export function makeEtcdBackup(
  name: string,
  args: TalosClusterArgs,
  child: pulumi.ComponentResourceOptions,
): void {
  const { etcdBackup } = args.addOns ?? {};
  if (etcdBackup === undefined) {
    return;
  }
  const { kmsKeyArn, retentionDays, adopt } = etcdBackup;
  const { bucketName } = clusterBackup(args, etcdBackup);
  const { protect, tags } = args;
  new EtcdBackup(
    `${name}-etcd-backup`,
    defined({ bucketName, kmsKeyArn, retentionDays, adopt, protect, tags }),
    child,
  );
}
