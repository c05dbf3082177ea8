import { defined } from "../../defined";
import { clusterNames } from "../../endpoint/clusterNames";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { AddOnManifest } from "../arguments/clusterAddOnsArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterIrsa } from "../clusterIrsa";
import { addOnChoices, isOwn } from "./addOnChoices";
import { auditLogGroupName } from "./clusterAuditLog";
import { clusterBackup } from "./clusterBackup";

/** The permissions that control plane machines need for the add-ons. */
export function controlPlanePermissions(args: TalosClusterArgs): NodePermissions {
  const { machineConfiguration, addOns = {} } = args;
  const { etcdBackup } = addOns;
  const choices = addOnChoices(addOns);
  const { ebsCsi, externalDns, auditLog } = choices;
  const backup = etcdBackup && clusterBackup(args, etcdBackup);
  const hasWorkloads = machineConfiguration?.allowSchedulingOnControlPlanes === true;
  // An add-on with its own role needs no permission here.
  const isApart = (addOn: AddOnManifest) => isOwn(addOn) && clusterIrsa(args) !== undefined;
  const asked = (addOn: AddOnManifest | undefined) =>
    addOn === undefined || isApart(addOn) ? undefined : true;
  return defined({
    cloudController: asked(choices.cloudController),
    ...(ebsCsi !== undefined && !isApart(ebsCsi) && (isOwn(ebsCsi) || hasWorkloads)
      ? { ebsCsi: true, ebsCsiKmsKeyArns: ebsCsi.kmsKeyArns }
      : {}),
    clusterAutoscaler: asked(choices.clusterAutoscaler),
    loadBalancerController: asked(choices.loadBalancerController),
    externalDnsZoneIds: asked(externalDns) && externalDns?.zoneIds,
    auditLogGroupName:
      auditLog === undefined || isApart(auditLog)
        ? undefined
        : auditLogGroupName(clusterNames(args), auditLog),
    etcdBackupArn: backup && `arn:aws:s3:::${backup.bucketName}/${backup.folder}`,
    etcdBackupKmsKeyArn: etcdBackup?.kmsKeyArn,
  });
}
