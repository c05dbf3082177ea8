import * as pulumi from "@pulumi/pulumi";
import type { HealthGate, InlineManifest } from "../provider";
import type { AddOnManifest, ClusterAddOnsArgs, PinnedAddOn } from "./clusterAddOnsArgs";
import { nodeOptions, permit, signsServing } from "./addOnNodes";
import { defined } from "./defined";
import type { MonitoringTarget } from "./firewallArgs";
import type { NodePermissions } from "./nodePermissions";
import { type PinnedAddOnName, pinnedManifest, releaseFor } from "./pinnedManifests";
import type { ClusterMachineConfigurationArgs, TalosClusterArgs } from "./talosClusterArgs";
import { workersWithAddOns } from "./workersWithAddOns";

/** A list as an argument gives it. */
type Given<Item> = pulumi.Input<readonly pulumi.Input<Item>[] | undefined>;

/**
 * A cluster's arguments with all that its add-ons need of the others: manifests, configuration of every
 * machine, permissions, ways through the firewall, pod network. They have been checked.
 */
export function withAddOns(args: TalosClusterArgs): TalosClusterArgs {
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
    machineConfiguration: configure(args, addOns),
    firewall: monitoring === undefined ? firewall : { ...firewall, monitoring },
    controlPlane: defined({ ...controlPlane, role: permit(controlPlane?.role, permissions(args)) }),
    ...workersWithAddOns(args, addOns),
  });
}

function configure(
  args: TalosClusterArgs,
  addOns: ClusterAddOnsArgs,
): ClusterMachineConfigurationArgs {
  const { machineConfiguration: given = {}, kubernetesVersion } = args;
  const { cilium } = addOns;
  const urls = pulumi.output(kubernetesVersion).apply((version) => manifestUrls(addOns, version));
  const inline = inlineManifests(addOns);
  return defined({
    ...given,
    extraManifests: join(urls, given.extraManifests),
    inlineManifests:
      inline.length === 0 ? given.inlineManifests : join(inline, given.inlineManifests),
    ...nodeOptions(given, addOns),
    ...(cilium?.kubeProxyReplacement === true && { kubeProxy: false }),
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

function monitored(
  { metricsServer = false }: ClusterAddOnsArgs,
  given: readonly MonitoringTarget[] | undefined,
): readonly MonitoringTarget[] | undefined {
  return metricsServer === false ? given : [...new Set([...(given ?? []), "kubelet" as const])];
}

/** What control plane machines may do for the add-ons. */
function permissions({ addOns, machineConfiguration }: TalosClusterArgs): NodePermissions {
  const { cloudController, ebsCsi } = addOns ?? {};
  const hasWorkloads = machineConfiguration?.allowSchedulingOnControlPlanes === true;
  return defined({
    cloudController: cloudController === undefined ? undefined : true,
    ...(hasWorkloads && ebsCsi !== undefined
      ? { ebsCsi: true, ebsCsiKmsKeyArns: ebsCsi.kmsKeyArns }
      : {}),
  });
}

function join<Item>(first: Given<Item>, second: Given<Item>): pulumi.Output<Item[]> {
  return pulumi
    .all([pulumi.output(first), pulumi.output(second)])
    .apply(([some = [], more = []]) => [...some, ...more] as Item[]);
}
