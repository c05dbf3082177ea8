import * as pulumi from "@pulumi/pulumi";
import type { MachineConfigurationArgs } from "../../../provider";
import { DEFAULT_DNS_DOMAIN } from "../../../provider/config";
import { planDataVolumes } from "../../machines/volumes";
import { isControlPlane, optionsOf, type Plan, plannedFlag, type PlannedPlaces } from "./plan";
import { backups, kubePrism, replacesKubeProxy, scaled } from "./plannedAddOns";
import { logins } from "./plannedLogins";
import { CLOUD_PROVIDER, hostnames, kubeletFlags, nodeNames } from "./plannedNodes";
import { acceptedAuthorities, kmsPlugins, secrets } from "./plannedSecrets";

/** The places of an argument that more than its machine follows, or why there are none. */
type Answer = string | ((plan: Plan) => PlannedPlaces);

const isIsolated = ({ args }: Plan) => args.network.internetAccess === false;

/** What a network without internet has been checked for by options alone: `checkIsolatedSettings`. */
function isolated(option: string, ...paths: readonly string[]): Answer {
  return (plan) =>
    Object.fromEntries(
      (isIsolated(plan) ? paths : []).map((path) => [
        path,
        {
          wayOut: `set machineConfiguration.${option}, which is checked for a network without internet`,
        },
      ]),
    );
}

/**
 * For each argument of a machine configuration: what else in a cluster follows from it, so that no
 * patch may change it. An argument without a row doesn't compile.
 */
export const PLANNED_ARGUMENTS = {
  clusterName: (plan) => ({
    "cluster.clusterName": {
      // Workers know it by an older contract only.
      ...(isControlPlane(plan) && { value: plan.clusterName }),
      wayOut: "set the argument clusterName, which tags and add-ons have too",
    },
  }),
  endpoint: ({ endpoint }) => ({
    "cluster.controlPlane.endpoint": {
      value: endpoint,
      wayOut: "set the arguments environment and domain, which make the name of the Kubernetes API",
    },
  }),
  machineType: ({ role }) => ({
    "machine.type": {
      value: role,
      wayOut: "give control planes and pools of workers by their own arguments",
    },
  }),
  secretsBundle: secrets,
  acceptedAuthorities,
  secretsEncryption: kmsPlugins,
  platform: "the installer is compared with it: `patchedInstallerProblem`",
  talosVersion: "the installer is compared with it: `patchedInstallerProblem`",
  versionContract: "it is how the same settings are written",
  contractDefaults: "it keeps what the same settings mean",
  newDefaults: "no other resource follows what these change",
  kubernetesVersion: "images are compared with it: `newerThanApiServer`",
  installDisk: "Talos is installed already in an AMI",
  schematicId: "the installer is compared with talosVersion and platform",
  systemExtensions: "the installer is compared with talosVersion and platform",
  ecrCredentialProvider: "the installer is compared with talosVersion and platform",
  extraKernelArgs: "the installer is compared with talosVersion and platform",
  certSans: (plan) => ({
    "machine.certSANs": {
      ...entrance(plan),
      allows: "more",
      wayOut: "leave these names there: load balancer, talosctl and up reach the machine by them",
    },
  }),
  apiServerCertSans: (plan): PlannedPlaces =>
    isControlPlane(plan)
      ? {
          "cluster.apiServer.certSANs": {
            allows: "more",
            wayOut: "leave these names there: load balancer and kubectl reach the API by them",
          },
        }
      : {},
  dnsDomain: ({ args }) => ({
    "cluster.network.dnsDomain": {
      value: pulumi
        .output(args.machineConfiguration.dnsDomain)
        .apply((domain) => domain ?? DEFAULT_DNS_DOMAIN),
      default: DEFAULT_DNS_DOMAIN,
      wayOut:
        "set dnsDomain in machineConfiguration and in workers.machineConfiguration, because CoreDNS and the kubelets of all machines need the same",
    },
  }),
  podCidrs: ({ args }) => ({
    "cluster.network.podSubnets": {
      value: [...args.facts.ranges.podCidrs],
      wayOut: "set the argument podCidrs",
    },
    ...plannedFlag("cluster.controllerManager", "cluster-cidr", {
      wayOut: "set the argument podCidrs",
    }),
  }),
  serviceCidrs: ({ args }) => ({
    "cluster.network.serviceSubnets": {
      value: [...args.facts.ranges.serviceCidrs],
      wayOut: "set the argument serviceCidrs",
    },
  }),
  nodeCount: "it only judges the ranges",
  controlPlaneCount: "it only judges the machines' own firewall",
  registryMirrors: isolated(
    "registryMirrors",
    "machine.registries.mirrors",
    "RegistryMirrorConfig/*",
  ),
  timeServers: isolated("timeServers", "machine.time.servers"),
  discovery: isolated("discovery", "cluster.discovery.enabled"),
  discoveryEndpoint: isolated("discoveryEndpoint", "cluster.discovery.registries.service"),
  kubeSpan: ({ args }) => ({
    "machine.network.kubespan.enabled": {
      value: args.kubeSpan ?? false,
      default: false,
      wayOut: "set the argument kubeSpan",
    },
  }),
  hostname: hostnames,
  nameservers: "the machine alone asks them",
  searchDomains: "the machine alone follows them",
  networkInterfaces: "up and the load balancer reach the machine by the addresses that EC2 gives",
  diskEncryption: (plan): PlannedPlaces =>
    isControlPlane(plan) && plan.args.controlPlane.etcdVolume?.holds === "etcd"
      ? Object.fromEntries(
          ["VolumeConfig/EPHEMERAL.encryption", "machine.systemDiskEncryption"].map((path) => [
            path,
            {
              wayOut:
                'take "everything" for controlPlane.etcdVolume.holds, or leave the encryption to EBS: this would not cover etcd\'s data',
            },
          ]),
        )
      : {},
  secureEphemeral: "it changes what programs on the machine may do",
  userVolumes: ({ pool }) =>
    Object.fromEntries(
      planDataVolumes(pool?.dataVolumes).map(({ name }) => [
        `UserVolumeConfig/${name}`,
        { wayOut: "set the pool's dataVolumes, which make the disk too" },
      ]),
    ),
  nodeLabels: (plan) => scaled(plan, "labels", ["machine.nodeLabels"], ["node-labels"]),
  nodeAnnotations: "nothing else reads them",
  nodeTaints: (plan) =>
    scaled(
      plan,
      "taints",
      ["machine.nodeTaints", "machine.kubelet.extraConfig.registerWithTaints"],
      ["register-with-taints"],
    ),
  sysctls: "the machine alone follows them",
  kernelModules: "the machine alone loads them",
  kubeletExtraArgs: kubeletFlags,
  registerWithFqdn: nodeNames,
  features: (plan) => ({ ...backups(plan), ...kubePrism(plan) }),
  cni: ({ args, role }): PlannedPlaces =>
    role === "worker"
      ? {}
      : {
          "cluster.network.cni.name": {
            value: args.facts.podNetwork.cni?.name ?? "flannel",
            default: "flannel",
            wayOut: "set the argument cni",
          },
          "cluster.network.cni.urls": { wayOut: "set the arguments cni and cniManifests" },
          "KubeFlannelCNIConfig.backendType": { default: "vxlan", wayOut: FLANNEL },
          "KubeFlannelCNIConfig.backendPort": { default: 4789, wayOut: FLANNEL },
        },
  kubeProxy: (plan): PlannedPlaces =>
    isControlPlane(plan) && replacesKubeProxy(plan)
      ? {
          "cluster.proxy.disabled": {
            value: true,
            default: false,
            wayOut: "set addOns.cilium.kubeProxyReplacement false, to have kube-proxy",
          },
        }
      : {},
  extraManifests: (plan): PlannedPlaces =>
    isControlPlane(plan)
      ? {
          "cluster.extraManifests": {
            ...(isIsolated(plan) ? {} : { allows: "more" }),
            wayOut: "use addOns and machineConfiguration.extraManifests",
          },
        }
      : {},
  inlineManifests: (plan): PlannedPlaces =>
    isControlPlane(plan)
      ? {
          "cluster.inlineManifests": {
            allows: "more",
            wayOut:
              "use addOns and machineConfiguration.inlineManifests: roles, permissions and firewall rules belong to these manifests",
          },
        }
      : {},
  externalCloudProvider: (plan) => ({
    "cluster.externalCloudProvider.enabled": {
      value: optionsOf(plan).externalCloudProvider !== undefined,
      default: false,
      wayOut: CLOUD_PROVIDER,
    },
    ...(isControlPlane(plan) && {
      "cluster.externalCloudProvider.manifests": { allows: "more", wayOut: CLOUD_PROVIDER },
    }),
  }),
  allowSchedulingOnControlPlanes: (plan): PlannedPlaces =>
    isControlPlane(plan) && plan.args.addOns !== undefined
      ? {
          "cluster.allowSchedulingOnControlPlanes": {
            value: pulumi
              .output(optionsOf(plan).allowSchedulingOnControlPlanes)
              .apply((wanted) => wanted ?? false),
            also: ["cluster.allowSchedulingOnMasters"],
            default: false,
            wayOut:
              "set machineConfiguration.allowSchedulingOnControlPlanes: add-ons get permissions where their pods can run",
          },
        }
      : {},
  patches: (plan): PlannedPlaces => ({
    ...serviceAccountIssuers(plan),
    ...(isControlPlane(plan) ? logins(plan) : {}),
  }),
  otherPatches: "only host names are compared with them",
  machinePatches: "each machine is judged by the same settings",
  plannedSettings: "these are they",
} as const satisfies Record<keyof MachineConfigurationArgs, Answer>;

const FLANNEL = "keep it: the firewall opens 4789/udp between machines, for VXLAN";

/** The issuer of the cluster's own tokens, with `irsa`. */
function serviceAccountIssuers({ issuer, endpoint }: Plan): PlannedPlaces {
  if (issuer === undefined) {
    return {};
  }
  const wayOut = "use the argument irsa: AWS trusts the tokens of this issuer";
  const flag = "cluster.apiServer.extraArgs";
  return {
    [`${flag}.service-account-issuer`]: { value: issuer.url, wayOut },
    [`${flag}.service-account-jwks-uri`]: { value: issuer.keysUrl, wayOut },
    [`${flag}.service_account_issuer`]: { value: endpoint, wayOut },
    [`${flag}.service_account_jwks_uri`]: { wayOut },
  };
}

/** The name by which a load balancer forwards the Talos API. */
function entrance(plan: Plan): { readonly value?: string[] } {
  const { endpoint } = plan.args.facts.access;
  return endpoint === undefined || !isControlPlane(plan) ? {} : { value: [endpoint] };
}
