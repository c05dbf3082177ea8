/**
 * What else in a cluster follows from each place of a machine's configuration: `planned` by
 * `plannedSettingsOf`, or nothing, with the reason. The longest path that covers a place counts; a
 * path of another document begins with its kind.
 */
const groups: readonly (readonly [answer: string, paths: readonly string[]])[] = [
  [
    "planned",
    [
      ...["machine.type", "machine.ca", "machine.token", "machine.acceptedCAs", "machine.certSANs"],
      ...["machine.network.hostname", "machine.network.kubespan.enabled", "machine.features.rbac"],
      ...["machine.kubelet.nodeIP", "machine.kubelet.registerWithFQDN", "machine.nodeLabels"],
      ...["machine.nodeTaints", "machine.features.kubePrism", "machine.time.servers"],
      ...["machine.features.kubernetesTalosAPIAccess", "machine.registries.mirrors"],
      ...["machine.systemDiskEncryption", "machine.network.interfaces.*.vip"],
      ...["machine.network.interfaces.*.vlans.*.vip"],
      ...["cluster.id", "cluster.secret", "cluster.token", "cluster.ca", "cluster.acceptedCAs"],
      ...["cluster.controlPlane", "cluster.clusterName", "cluster.network", "cluster.discovery"],
      ...["cluster.aescbcEncryptionSecret", "cluster.secretboxEncryptionSecret"],
      ...["cluster.aggregatorCA", "cluster.serviceAccount", "cluster.apiServer.certSANs"],
      ...["cluster.etcd.ca", "cluster.etcd.subnet", "cluster.etcd.advertisedSubnets"],
      ...["cluster.etcd.listenSubnets", "cluster.proxy.disabled", "cluster.externalCloudProvider"],
      ...["cluster.extraManifests", "cluster.inlineManifests"],
      ...["cluster.allowSchedulingOnControlPlanes", "cluster.allowSchedulingOnMasters"],
      ...["cluster.apiServer.extraArgs", "cluster.controllerManager.extraArgs"],
      ...["cluster.scheduler.extraArgs", "machine.kubelet.extraArgs"],
      ...["machine.kubelet.extraConfig.registerWithTaints"],
      ...["HostnameConfig", "KubeSpanConfig.enabled", "Layer2VIPConfig", "HCloudVIPConfig"],
      ...["RegistryMirrorConfig", "TimeSyncConfig.ntp", "VolumeConfig", "UserVolumeConfig"],
    ],
  ],
  [
    "compared with talosVersion, platform and kubernetesVersion",
    [
      ...["machine.install.image", "machine.kubelet.image", "cluster.apiServer.image"],
      ...["cluster.controllerManager.image", "cluster.scheduler.image", "cluster.proxy.image"],
    ],
  ],
  [
    "planned as the field that it replaces (settingPlaces), or refused because the package writes it",
    [
      ...["DiscoveryIdentityConfig", "DiscoveryServiceConfig", "KubeAPIServerCAConfig"],
      ...["KubeAPIServerConfig", "KubeAggregatorCAConfig", "KubeClusterConfig", "KubeletConfig"],
      ...["KubeControllerManagerConfig", "KubeCoreDNSConfig", "KubeCredentialProviderConfig"],
      ...["KubeEtcdEncryptionConfig", "KubeExternalManifestConfig", "KubeFlannelCNIConfig"],
      ...["KubeInlineManifestConfig", "KubeNetworkConfig", "KubeNodeConfig", "KubePrismConfig"],
      ...["KubeProxyConfig", "KubeSchedulerConfig", "KubeServiceAccountConfig"],
      ...["KubeTalosAPIAccessConfig", "UnattendedInstallConfig"],
    ],
  ],
  [
    "nothing: the machine alone, its services or its pods follow it",
    [
      ...["version", "debug", "persist", "machine.controlPlane", "machine.kubelet", "machine.pods"],
      ...["machine.network", "machine.disks", "machine.install", "machine.files", "machine.env"],
      ...["machine.time", "machine.sysctls", "machine.sysfs", "machine.registries"],
      ...["machine.features", "machine.udev", "machine.logging", "machine.kernel"],
      ...["machine.seccompProfiles", "machine.baseRuntimeSpecOverrides"],
      ...["machine.nodeAnnotations", "KubeSpanConfig", "TimeSyncConfig"],
      ...["BlackholeRouteConfig", "BondConfig", "BridgeConfig", "DHCPv4Config", "DHCPv6Config"],
      ...["DummyLinkConfig", "EthernetConfig", "LinkAliasConfig", "LinkConfig", "ResolverConfig"],
      ...["RoutingRuleConfig", "StaticHostConfig", "TCPProbeConfig", "VLANConfig", "VRFConfig"],
      ...["WireguardConfig", "BGPInstanceConfig", "HTTPProbeConfig", "VethConfig"],
      ...["KubeSpanEndpointsConfig", "EventSinkConfig", "ExtensionServiceConfig", "KmsgLogConfig"],
      ...["ImageVerificationConfig", "OOMConfig", "PCIDriverRebindConfig", "RegistryAuthConfig"],
      ...["RegistryTLSConfig", "SideroLinkConfig", "TrustedRootsConfig", "WatchdogTimerConfig"],
      ...["ZswapConfig", "EnvironmentConfig", "CRIBaseRuntimeSpecConfig"],
      ...["CRICustomizationConfig", "ContainerConfig", "EtcFileConfig", "FilesystemScrubConfig"],
      ...["FilesystemTrimConfig", "ImageCacheConfig", "KernelModuleConfig", "SysctlConfig"],
      ...["SysfsConfig", "UdevRulesConfig", "SecurityProfileConfig", "KubeStaticPodConfig"],
    ],
  ],
  [
    "nothing: a disk of the machine, which no argument makes",
    [
      ...["RawVolumeConfig", "SwapVolumeConfig", "ExistingVolumeConfig", "ExternalVolumeConfig"],
      ...["LVMLogicalVolumeConfig", "LVMVolumeGroupConfig", "RAIDArrayConfig"],
    ],
  ],
  [
    "nothing: a component of Kubernetes follows it, inside the ports that it has",
    [
      ...["cluster.apiServer", "cluster.controllerManager", "cluster.scheduler", "cluster.proxy"],
      ...["cluster.etcd", "cluster.coreDNS", "cluster.adminKubeconfig"],
      ...["cluster.extraManifestHeaders", "KubeAdmissionControlConfig", "KubeAuditPolicyConfig"],
      ...["KubeAuthenticationConfig", "KubeAuthorizerConfig"],
    ],
  ],
  [
    "nothing: a firewall of the machine itself, behind that of AWS",
    ["NetworkDefaultActionConfig", "NetworkRuleConfig"],
  ],
];

const rows = groups
  .flatMap(([answer, paths]) => paths.map((path) => ({ answer, pattern: path.split(".") })))
  .sort((one, other) => other.pattern.length - one.pattern.length);

/** All paths of the table with their answers. */
export const besideRows: readonly (readonly [path: string, answer: string])[] = rows.map(
  ({ answer, pattern }) => [pattern.join("."), answer],
);

/**
 * The answer for a place; undefined for one that the table doesn't know.
 *
 * @param path as in an outline
 */
export function besideOf(path: readonly string[]): string | undefined {
  return rows.find(({ pattern }) =>
    pattern.every((key, index) => {
      const found = index === 0 ? path[0]?.split("/")[0] : path[index];
      return found !== undefined && (key === "*" || key === found);
    }),
  )?.answer;
}
