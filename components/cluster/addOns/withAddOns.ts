import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { HealthGate, InlineManifest } from "../../../provider";
import { defined } from "../../defined";
import type { MonitoringTarget } from "../../firewall/firewallArgs";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { AddOnManifest, ClusterAddOnsArgs, PinnedAddOn } from "../arguments/clusterAddOnsArgs";
import type {
  ClusterMachineConfigurationArgs,
  TalosClusterArgs,
} from "../arguments/talosClusterArgs";
import { nodeOptions, permit, signsServing } from "./addOnNodes";
import { clusterBackup } from "./clusterBackup";
import { type PinnedAddOnName, pinnedManifest, releaseFor } from "./pinnedManifests";
import {
  ETCD_BACKUP_NAMESPACE,
  ETCD_BACKUP_ROLE,
  planEtcdBackupManifest,
} from "./planEtcdBackupManifest";
import { workersWithAddOns } from "./workersWithAddOns";

/** A list as an argument gives it. */
type Given<Item> = pulumi.Input<readonly pulumi.Input<Item>[] | undefined>;

/**
 * A cluster's arguments with all that its add-ons need of the others: manifests, configuration of every
 * machine, permissions, ways through the firewall, pod network. They have been checked.
 *
 * @param options by which the account is asked for its region, where an add-on goes by that
 */
export function withAddOns(
  args: TalosClusterArgs,
  options: pulumi.InvokeOptions = {},
): TalosClusterArgs {
  const { addOns } = args;
  if (addOns === undefined) {
    return args;
  }
  const { controlPlane, firewall, healthGates } = args;
  const { cilium } = addOns;
  const monitoring = monitored(addOns, firewall?.monitoring);
  return defined({
    ...args,
    ...(cilium !== undefined && {
      cni: "cilium" as const,
      cniManifests: cilium.manifestUrls,
      // A network that comes with the configuration is there when the nodes are.
      healthGates: healthGates ?? (["etcd", "apiServer", "nodesReady"] satisfies HealthGate[]),
    }),
    machineConfiguration: configure(args, addOns, options),
    firewall: monitoring === undefined ? firewall : { ...firewall, monitoring },
    controlPlane: defined({ ...controlPlane, role: permit(controlPlane?.role, permissions(args)) }),
    ...workersWithAddOns(args, addOns),
  });
}

function configure(
  args: TalosClusterArgs,
  addOns: ClusterAddOnsArgs,
  options: pulumi.InvokeOptions,
): ClusterMachineConfigurationArgs {
  const { machineConfiguration: given = {}, kubernetesVersion } = args;
  const { cilium, etcdBackup } = addOns;
  const urls = pulumi.output(kubernetesVersion).apply((version) => manifestUrls(addOns, version));
  const inline = [...inlineManifests(addOns), ...backupManifest(args, options)];
  return defined({
    ...given,
    extraManifests: join(urls, given.extraManifests),
    inlineManifests:
      inline.length === 0 ? given.inlineManifests : join(inline, given.inlineManifests),
    ...nodeOptions(given, addOns),
    ...(cilium?.kubeProxyReplacement === true && { kubeProxy: false }),
    ...(etcdBackup !== undefined && { features: permitSnapshots(given.features) }),
  });
}

/** Those that Talos fetches; the cloud controller's and the pod network's have places of their own. */
function manifestUrls(addOns: ClusterAddOnsArgs, kubernetesVersion: string): string[] {
  const pinned = (name: PinnedAddOnName, addOn: boolean | PinnedAddOn | undefined) => {
    if (addOn === undefined || addOn === false) {
      return [];
    }
    const { version, manifestUrls: urls } = addOn === true ? {} : addOn;
    return urls ?? [pinnedManifest(name, version ?? releaseFor(name, kubernetesVersion))];
  };
  const { servingCertificateApprover, metricsServer, ebsCsi } = addOns;
  const approver = signsServing(addOns) ? (servingCertificateApprover ?? true) : false;
  return [
    ...pinned("servingCertificateApprover", approver),
    ...pinned("metricsServer", metricsServer),
    ...(ebsCsi?.manifestUrls ?? []),
  ];
}

function inlineManifests(addOns: ClusterAddOnsArgs): pulumi.Output<InlineManifest>[] {
  const { cloudController, ebsCsi, cilium } = addOns;
  const inline = (name: string, addOn: AddOnManifest | undefined) =>
    addOn?.manifest === undefined ? [] : [pulumi.output({ name, contents: addOn.manifest })];
  return [
    ...inline("cilium", cilium),
    ...inline("aws-cloud-controller", cloudController),
    ...inline("aws-ebs-csi-driver", ebsCsi),
  ];
}

function backupManifest(
  args: TalosClusterArgs,
  options: pulumi.InvokeOptions,
): pulumi.Output<InlineManifest>[] {
  const { etcdBackup } = args.addOns ?? {};
  if (etcdBackup === undefined) {
    return [];
  }
  const backup = clusterBackup(args, etcdBackup);
  return [
    aws.getRegionOutput({}, options).region.apply((region) => ({
      name: "etcd-backup",
      contents: planEtcdBackupManifest(backup, region),
    })),
  ];
}

/** What is let in already stays so, and so each of its roles comes to the snapshots' namespace too. */
function permitSnapshots(given: ClusterMachineConfigurationArgs["features"]) {
  return pulumi.output(given).apply((features) => {
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

function monitored(
  { metricsServer = false }: ClusterAddOnsArgs,
  given: readonly MonitoringTarget[] | undefined,
): readonly MonitoringTarget[] | undefined {
  return metricsServer === false ? given : [...new Set([...(given ?? []), "kubelet" as const])];
}

/** What control plane machines may do for the add-ons. */
function permissions(args: TalosClusterArgs): NodePermissions {
  const { addOns, machineConfiguration } = args;
  const { cloudController, ebsCsi, etcdBackup } = addOns ?? {};
  const backup = etcdBackup && clusterBackup(args, etcdBackup);
  const hasWorkloads = machineConfiguration?.allowSchedulingOnControlPlanes === true;
  return defined({
    cloudController: cloudController === undefined ? undefined : true,
    ...(hasWorkloads && ebsCsi !== undefined
      ? { ebsCsi: true, ebsCsiKmsKeyArns: ebsCsi.kmsKeyArns }
      : {}),
    etcdBackupArn: backup && `arn:aws:s3:::${backup.bucketName}/${backup.folder}`,
    etcdBackupKmsKeyArn: etcdBackup?.kmsKeyArn,
  });
}

function join<Item>(first: Given<Item>, second: Given<Item>): pulumi.Output<Item[]> {
  return pulumi
    .all([pulumi.output(first), pulumi.output(second)])
    .apply(([some = [], more = []]) => [...some, ...more] as Item[]);
}
