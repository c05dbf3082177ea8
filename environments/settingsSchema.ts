import type { ApiExposure, ApiHealthCheck, ClusterCni, ClusterFirewallArgs } from "../components";
import type {
  ClusterIrsaArgs,
  ClusterQuotas,
} from "../components/cluster/arguments/talosClusterArgs";
import { API_HEALTH_CHECKS } from "../components/endpoint/planApiHealthCheck";
import { API_EXPOSURES } from "../components/firewall/firewallArgs";
import type { ContractDefault, EtcdSnapshotFile, Rotation } from "../provider";
import { contractDefaultNames } from "../provider/config/contractFeatures";
import { NEWEST_RELEASES } from "../provider/config/newestReleases";
import { addOnsSchema, type AddOnsSettings, irsaSchema } from "./addOnsSchema";
import {
  machineConfigurationSchema,
  type MachineConfigurationSettings,
} from "./machineConfigurationSchema";
import {
  controlPlaneSchema,
  type ControlPlaneSettings,
  patches,
  type PatchSetting,
  workerPoolsSchema,
  type WorkerPoolSettings,
  workersSchema,
  type WorkersSettings,
} from "./machinesSchema";
import { cniSetting, firewallSchema, networkSchema, type NetworkSettings } from "./networkSchema";
import { PRESETS, type PresetName } from "./presets";
import { choice, flag, group, list, ranges, text, textsByKey, whole } from "./settingSchema";

/** The settings of a stack, as they are written in its file. */
export interface GivenSettings {
  readonly preset?: PresetName;
  /** Read by `isServedByPlugin`. */
  readonly plugin?: boolean;
  readonly environment?: string;
  readonly domain: string;
  readonly dns?: {
    readonly createZone?: boolean;
    readonly privateZone?: boolean;
    readonly zoneId?: string;
    readonly zoneName?: string;
  };
  readonly talosVersion: string;
  readonly versionContract: string;
  readonly contractDefaults?: string;
  readonly newDefaults?: readonly ContractDefault[];
  readonly kubernetesVersion: string;
  readonly operatorCidrs: readonly string[];
  readonly kubernetesApiCidrs?: readonly string[];
  readonly allowWorldToKubernetesApi?: boolean;
  readonly exposure?: ApiExposure;
  readonly apiHealthCheck?: ApiHealthCheck;
  readonly loadBalancerIdleTimeoutSeconds?: number;
  readonly network: NetworkSettings;
  readonly firewall?: ClusterFirewallArgs;
  readonly cni?: ClusterCni;
  readonly cniManifests?: readonly string[];
  readonly kubeSpan?: boolean;
  readonly talosApiThroughLoadBalancer?: boolean;
  readonly quotas?: ClusterQuotas;
  readonly addOns?: AddOnsSettings;
  readonly irsa?: boolean | ClusterIrsaArgs;
  readonly recoverFrom?: EtcdSnapshotFile;
  readonly rotation?: Rotation;
  readonly controlPlane?: ControlPlaneSettings;
  readonly workers?: WorkersSettings;
  readonly workerPools?: Readonly<Record<string, WorkerPoolSettings>>;
  readonly podCidrs?: readonly string[];
  readonly serviceCidrs?: readonly string[];
  readonly machineConfiguration?: MachineConfigurationSettings;
  readonly patches?: PatchSetting[];
  readonly talosconfigLifetimeHours?: number;
  readonly kubeconfigLifetimeHours?: number;
  readonly applyTimeoutSeconds?: number;
  readonly applySettledSeconds?: number;
  /** Kubeconfigs of people and pipelines, by user. */
  readonly kubeconfigs?: Readonly<Record<string, KubeconfigSettings>>;
  readonly syncManifests?: boolean;
  readonly protect?: boolean;
  readonly acceptedChanges?: Readonly<Record<string, string>>;
  readonly tags?: Readonly<Record<string, string>>;
}

/** The settings of a user's kubeconfig: the same as `ClusterKubeconfigRequest`. */
export interface KubeconfigSettings {
  readonly groups?: readonly string[];
  readonly lifetimeHours?: number;
}

/** The settings of an environment: names, shapes, and which are required. */
export const settingsSchema = group(
  "settings",
  {
    preset: choice(Object.keys(PRESETS)),
    plugin: flag,
    environment: text(`a part of a domain name, as in "sandbox"`),
    domain: text(`your domain, as in "example.com"`),
    dns: group("an object, as in {createZone: true}", {
      createZone: flag,
      privateZone: flag,
      zoneId: text(`the id of a hosted zone, as in "Z0123456789ABC"`),
      zoneName: text(`the name of a hosted zone, as in "example.com"`),
    }),
    talosVersion: text(`a Talos release, as in "${NEWEST_RELEASES.talosVersion}"`),
    versionContract: text(
      `the Talos minor that the cluster was created with, as in "${NEWEST_RELEASES.versionContract}"; it changes only on purpose`,
    ),
    contractDefaults: text(
      `the former version contract of a cluster that changed it, as in "v1.12"`,
    ),
    newDefaults: list("a list of defaults, as in [filesystemTrim]", choice(contractDefaultNames)),
    kubernetesVersion: text(`a Kubernetes release, as in "${NEWEST_RELEASES.kubernetesVersion}"`),
    operatorCidrs: ranges,
    kubernetesApiCidrs: ranges,
    allowWorldToKubernetesApi: flag,
    exposure: choice(API_EXPOSURES),
    apiHealthCheck: choice(API_HEALTH_CHECKS),
    loadBalancerIdleTimeoutSeconds: whole("a number of seconds, as in 3600"),
    network: networkSchema,
    firewall: firewallSchema,
    cni: cniSetting,
    cniManifests: list(
      `a list of URLs, as in ["https://example.com/cilium.yaml"]`,
      text(`a URL, as in "https://example.com/cilium.yaml"`),
    ),
    kubeSpan: flag,
    talosApiThroughLoadBalancer: flag,
    quotas: group("an object, as in {elasticAddresses: 10}", {
      inboundRulesPerGroup: whole("a number of rules, as in 100"),
      elasticAddresses: whole("a number of addresses, as in 10"),
      onDemandVcpus: whole("a number of virtual processors, as in 64"),
      spotVcpus: whole("a number of virtual processors, as in 64"),
    }),
    addOns: addOnsSchema,
    irsa: irsaSchema,
    recoverFrom: group(
      "an object, as in {path: etcd.snapshot}",
      { path: text("a file"), skipHashCheck: flag },
      ["path"],
    ),
    rotation: {
      title: "an object, as in {talosCa: {to: 2, stage: accept}}",
      type: "object",
      additionalProperties: group(
        "an object, as in {to: 2, stage: accept}",
        { to: whole("a generation, as in 2"), stage: text(`a stage, as in "accept"`) },
        ["to", "stage"],
      ),
    },
    controlPlane: controlPlaneSchema,
    workers: workersSchema,
    workerPools: workerPoolsSchema,
    podCidrs: ranges,
    serviceCidrs: ranges,
    machineConfiguration: machineConfigurationSchema,
    patches,
    talosconfigLifetimeHours: whole("a number of hours, as in 720"),
    kubeconfigLifetimeHours: whole("a number of hours, as in 168"),
    applyTimeoutSeconds: whole("a number of seconds, as in 600"),
    applySettledSeconds: whole("a number of seconds, as in 5"),
    kubeconfigs: {
      title: "an object of users, as in {anna: {groups: [operators]}}",
      type: "object",
      additionalProperties: group("an object, as in {groups: [operators], lifetimeHours: 168}", {
        groups: list("a list of groups, as in [operators]", text("the name of a group")),
        lifetimeHours: whole("a number of hours, as in 168"),
      }),
    },
    syncManifests: flag,
    protect: flag,
    acceptedChanges: textsByKey("network.cidrBlock: 10.7.0.0/16"),
    tags: textsByKey("team: storage"),
  },
  ["domain", "talosVersion", "versionContract", "kubernetesVersion", "operatorCidrs", "network"],
);
