import * as pulumi from "@pulumi/pulumi";
import { EtcdBackup } from "../../backup/etcdBackup";
import { defined } from "../../defined";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { AddOn, MachineOptions, MadeWith } from "../common/addOn";
import type { AddOnNames } from "../common/addOnCluster";
import { checkEtcdBackup } from "./checkEtcdBackup";
import { clusterBackup } from "./clusterBackup";
import type { EtcdBackupAddOn } from "./etcdBackupAddOn";
import {
  ETCD_BACKUP_NAMESPACE,
  ETCD_BACKUP_ROLE,
  planEtcdBackupManifest,
} from "./planEtcdBackupManifest";

/** Snapshots of etcd in a bucket; see `planEtcdBackupManifest`. */
export const etcdBackup: AddOn<EtcdBackupAddOn> = {
  manifestName: "etcd-backup",
  removal: `nothing takes snapshots of etcd any more. A bucket that it made is deleted, which fails while it has snapshots: to keep them, take the bucket out of the state before, with "pulumi state delete"`,
  manifest: (addOn, cluster, region) =>
    planEtcdBackupManifest(clusterBackup(cluster, addOn), region),
  machines: "controlPlane",
  moreImages: (addOn, cluster) => [clusterBackup(cluster, addOn).image],
  aws: { permissions, services: ["s3"] },
  check: checkEtcdBackup,
  controlPlaneOptions: (_addOn, given) => ({ features: permitSnapshots(given) }),
  make,
};

function permissions(addOn: EtcdBackupAddOn, cluster: AddOnNames): NodePermissions {
  const { bucketName, folder } = clusterBackup(cluster, addOn);
  return defined({
    etcdBackupArn: `arn:aws:s3:::${bucketName}/${folder}`,
    etcdBackupKmsKeyArn: addOn.kmsKeyArn,
  });
}

/**
 * The roles of existing namespaces stay allowed. Talos has one list of roles for all namespaces, so
 * the backup's namespace gets them too.
 */
function permitSnapshots(given: MachineOptions) {
  return pulumi.output(given.features).apply((features) => {
    const { allowedRoles = [], allowedKubernetesNamespaces = [] } =
      features?.kubernetesTalosApiAccess ?? {};
    return {
      ...features,
      kubernetesTalosApiAccess: {
        allowedRoles: [...new Set([...allowedRoles, ETCD_BACKUP_ROLE])],
        allowedKubernetesNamespaces: [
          ...new Set([...allowedKubernetesNamespaces, ETCD_BACKUP_NAMESPACE]),
        ],
      },
    };
  });
}

function make(addOn: EtcdBackupAddOn, { name, cluster, protect, tags, parent }: MadeWith): void {
  const { kmsKeyArn, retentionDays, adopt } = addOn;
  const { bucketName } = clusterBackup(cluster, addOn);
  new EtcdBackup(
    `${name}-etcd-backup`,
    defined({ bucketName, kmsKeyArn, retentionDays, adopt, protect, tags }),
    { parent },
  );
}
