import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { HealthGate, InlineManifest } from "../../../provider";
import { defined } from "../../defined";
import type { MonitoringTarget } from "../../firewall/firewallArgs";
import type { AddOnManifest, PinnedAddOn } from "../arguments/clusterAddOnsArgs";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { type AddOnChoices, addOnChoices, isOwnPinned } from "./addOnChoices";
import { nodeOptions, permit } from "./addOnNodes";
import { releaseFor } from "./addOnReleases";
import { clusterBackup } from "./clusterBackup";
import { controlPlanePermissions } from "./controlPlanePermissions";
import { type PinnedAddOnName, pinnedManifest } from "./pinnedManifests";
import {
  ETCD_BACKUP_NAMESPACE,
  ETCD_BACKUP_ROLE,
  planEtcdBackupManifest,
} from "./planEtcdBackupManifest";
import { MANIFEST_NAMES } from "./planOwnManifests";
import { workersWithAddOns } from "./workersWithAddOns";

/** A list that is an argument. */
type Given<Item> = pulumi.Input<readonly pulumi.Input<Item>[] | undefined>;

/**
 * Adds what the add-ons need to a cluster's other arguments: manifests, machine configuration,
 * permissions, firewall rules, pod network. The arguments must have been checked.
 * @param options options of the call that asks the AWS provider for its region, if an add-on needs
 *   it
 */
export function withAddOns(
  args: TalosClusterArgs,
  options: pulumi.InvokeOptions = {},
): TalosClusterArgs {
  if (args.addOns === undefined) {
    return args;
  }
  const addOns = addOnChoices(args.addOns);
  const { controlPlane, firewall, healthGates } = args;
  const { cilium } = addOns;
  const monitoring = monitored(addOns, firewall?.monitoring);
  return defined({
    ...args,
    ...(cilium !== undefined && {
      cni: "cilium" as const,
      cniManifests: cilium.manifestUrls,
      // A network that is part of the configuration is ready together with the nodes.
      healthGates: healthGates ?? (["etcd", "apiServer", "nodesReady"] satisfies HealthGate[]),
    }),
    machineConfiguration: configure(args, addOns, options),
    firewall: monitoring === undefined ? firewall : { ...firewall, monitoring },
    controlPlane: defined({
      ...controlPlane,
      role: permit(controlPlane?.role, controlPlanePermissions(args)),
    }),
    ...workersWithAddOns(args, addOns),
  });
}

function configure(
  args: TalosClusterArgs,
  addOns: AddOnChoices,
  options: pulumi.InvokeOptions,
): ClusterMachineConfigurationArgs {
  const { machineConfiguration: given = {}, kubernetesVersion } = args;
  const { cilium } = addOns;
  const { etcdBackup } = args.addOns ?? {};
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

/**
 * URLs that Talos fetches. Those of the cloud controller and the pod network have fields of their
 * own.
 */
function manifestUrls(addOns: AddOnChoices, kubernetesVersion: string): string[] {
  const pinned = (name: PinnedAddOnName, addOn: PinnedAddOn | undefined) => {
    if (addOn === undefined || isOwnPinned(addOn)) {
      return [];
    }
    const { version = releaseFor(name, kubernetesVersion), manifestUrls: urls } = addOn;
    return urls ?? [pinnedManifest(name, version)];
  };
  const { servingCertificateApprover, metricsServer, ebsCsi } = addOns;
  const { clusterAutoscaler, loadBalancerController, externalDns } = addOns;
  const { nodeTerminationHandler, auditLog } = addOns;
  return [
    ...pinned("servingCertificateApprover", servingCertificateApprover),
    ...pinned("metricsServer", metricsServer),
    ...[
      ...[ebsCsi, clusterAutoscaler, loadBalancerController, externalDns],
      ...[nodeTerminationHandler, auditLog],
    ].flatMap((addOn) => addOn?.manifestUrls ?? []),
  ];
}

/** The user's manifests, with the same names as this package's own. */
function inlineManifests(addOns: AddOnChoices): pulumi.Output<InlineManifest>[] {
  const inline = (name: string, addOn: AddOnManifest | undefined) =>
    addOn?.manifest === undefined ? [] : [pulumi.output({ name, contents: addOn.manifest })];
  return [
    ...inline("cilium", addOns.cilium),
    ...inline(MANIFEST_NAMES.cloudController, addOns.cloudController),
    ...inline(MANIFEST_NAMES.ebsCsi, addOns.ebsCsi),
    ...inline(MANIFEST_NAMES.clusterAutoscaler, addOns.clusterAutoscaler),
    ...inline(MANIFEST_NAMES.loadBalancerController, addOns.loadBalancerController),
    ...inline(MANIFEST_NAMES.externalDns, addOns.externalDns),
    ...inline(MANIFEST_NAMES.nodeTerminationHandler, addOns.nodeTerminationHandler),
    ...inline(MANIFEST_NAMES.auditLog, addOns.auditLog),
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

/**
 * The roles of existing namespaces stay allowed. Talos has one list of roles for all namespaces, so
 * the backup's namespace gets them too.
 */
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
  { metricsServer }: AddOnChoices,
  given: readonly MonitoringTarget[] | undefined,
): readonly MonitoringTarget[] | undefined {
  return metricsServer === undefined ? given : [...new Set([...(given ?? []), "kubelet" as const])];
}

function join<Item>(first: Given<Item>, second: Given<Item>): pulumi.Output<Item[]> {
  return pulumi
    .all([pulumi.output(first), pulumi.output(second)])
    .apply(([some = [], more = []]) => [...some, ...more] as Item[]);
}
