import type { InstallerOptions, MachineConfigInput } from "../provider";
import { group, list, type SettingSchema, text, textsByKey, flag, whole } from "./settingSchema";

/**
 * Settings of the machines' configuration: the options of `MachineConfiguration` that an
 * environment may set. Patches can do the rest.
 */
export type MachineConfigurationSettings = Partial<
  Pick<
    MachineConfigInput,
    | "certSans"
    | "apiServerCertSans"
    | "dnsDomain"
    | "discovery"
    | "discoveryEndpoint"
    | "registryMirrors"
    | "nodeLabels"
    | "nodeAnnotations"
    | "nodeTaints"
    | "allowSchedulingOnControlPlanes"
    | "nameservers"
    | "searchDomains"
    | "timeServers"
    | "sysctls"
    | "kernelModules"
    | "kubeletExtraArgs"
    | "extraManifests"
    | "externalCloudProvider"
    | "secureEphemeral"
    | "features"
  > &
    Omit<InstallerOptions, "platform" | "talosVersion">
>;

const names = (example: string) =>
  list(`a list of texts, as in [${example}]`, text(`a text, as in "${example}"`));
const urls = list(
  `a list of URLs, as in ["https://example.com/manifest.yaml"]`,
  text(`a URL, as in "https://example.com/manifest.yaml"`),
);

const properties: Readonly<Record<keyof MachineConfigurationSettings, SettingSchema>> = {
  certSans: names("talos.example.com"),
  apiServerCertSans: names("api.example.com"),
  dnsDomain: text(`a domain, as in "cluster.local"`),
  discovery: flag,
  discoveryEndpoint: text(`a URL, as in "https://discovery.example.com"`),
  registryMirrors: {
    title: `an object of lists, as in {docker.io: ["https://mirror.example.com"]}`,
    type: "object",
    additionalProperties: names("https://mirror.example.com"),
  },
  nodeLabels: textsByKey("team: storage"),
  nodeAnnotations: textsByKey("team: storage"),
  nodeTaints: textsByKey("dedicated: storage:NoSchedule"),
  allowSchedulingOnControlPlanes: flag,
  nameservers: names("10.0.0.2"),
  searchDomains: names("corp.example.com"),
  timeServers: names("169.254.169.123"),
  sysctls: textsByKey("vm.max_map_count: '262144'"),
  kernelModules: list(
    "a list of modules, as in [{name: nvme_tcp}]",
    group(
      "a module, as in {name: nvme_tcp}",
      { name: text(`the name of a module, as in "nvme_tcp"`), parameters: names("name=value") },
      ["name"],
    ),
  ),
  kubeletExtraArgs: {
    title: "an object of texts or lists of texts, as in {max-pods: '200'}",
    type: "object",
    additionalProperties: {
      title: "a text or a list of texts",
      type: ["string", "array"],
      items: text("a text"),
    },
  },
  extraManifests: urls,
  externalCloudProvider: group("an object, as in {manifests: []}", { manifests: urls }),
  secureEphemeral: flag,
  features: group("an object, as in {kubePrism: {port: 7445}}", {
    kubePrism: group("an object, as in {port: 7445}", { enabled: flag, port: whole("a port") }),
    hostDns: group("an object, as in {enabled: true}", {
      enabled: flag,
      forwardKubeDnsToHost: flag,
      resolveMemberNames: flag,
    }),
    kubernetesTalosApiAccess: group(
      "an object of two lists: allowedRoles, allowedKubernetesNamespaces",
      {
        allowedRoles: names("os:reader"),
        allowedKubernetesNamespaces: names("kube-system"),
      },
      ["allowedRoles", "allowedKubernetesNamespaces"],
    ),
  }),
  systemExtensions: names("siderolabs/iscsi-tools"),
  ecrCredentialProvider: flag,
  extraKernelArgs: names("console=ttyS0"),
  schematicId: text("the id of an Image Factory schematic"),
};

/** The shape of `machineConfiguration` in an environment's settings. */
export const machineConfigurationSchema = group("an object, as in {sysctls: {}}", properties);
