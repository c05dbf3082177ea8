/**
 * What a failing controller of Talos means for a configuration:
 * - `renders`: it derives what the kubelet and the static pods run from the configuration. While it
 *   fails, what runs is from an older configuration, and may not come back after a reboot.
 * - `applies`: it derives or applies something else: network, volumes, files, kernel, manifests.
 * - `asks`: it needs others too: the Kubernetes API, other machines, services in the internet. So a
 *   failure may pass, and need not be the configuration's fault.
 * - `observes`: it only reports what the machine has, so its failure says nothing about the
 *   configuration.
 */
export type ControllerDuty = "renders" | "applies" | "asks" | "observes";

/** Names by their package, without "Controller". */
type Names = Readonly<Record<string, string>>;

/**
 * All controllers of Talos, by duty. Talos shows an error of a controller only in the log
 * `controller-runtime`, and tries again with a growing back-off. The resource that it derives stays
 * as it was. Sources: `internal/app/machined/pkg/controllers` of Talos v1.10.9, v1.11.6, v1.12.1,
 * v1.13.9 and v1.14.1; a test fails for a controller without a duty.
 */
const duties: Readonly<Record<ControllerDuty, Names>> = {
  renders: {
    config: "MachineType",
    etcd: "Config PKI Spec",
    k8s: `ControlPlaneAPIServer ControlPlaneAPIServerFinal ControlPlaneAdmissionControl
      ControlPlaneAuditPolicy ControlPlaneAuthentication ControlPlaneAuthorization
      ControlPlaneAuthorizationPolicy ControlPlaneControllerManager
      ControlPlaneControllerManagerFinal ControlPlaneScheduler ControlPlaneSchedulerFinal
      ControlPlaneStaticPod EtcdEncryptionConfig KubeletConfig KubeletKubeconfig KubeletService
      KubeletSpec NodeIP NodeIPConfig Nodename RenderConfigsStaticPod RenderSecretsStaticPod
      StaticPodConfig StaticPodServer`,
    secrets: `APICertSANs Etcd Kubelet Kubernetes KubernetesCertSANs KubernetesDynamicCerts RootEtcd
      RootKubernetes RootOS`,
  },
  applies: {
    block: `FSScrubSchedule Mount MountRequest UserDiskConfig UserVolumeConfig VolumeConfig
      VolumeManager VolumeTrimSchedule ZswapConfig`,
    cluster: "Config Info NodeIdentity",
    config: "Acquire Persistence",
    containers: "Config Instance Mount Runtime",
    cri: `CustomizationConfig ImageCacheConfig RegistriesConfig RuntimeSpecConfig SeccompProfile
      SeccompProfileFile Service`,
    files: `CRIBaseRuntimeSpec CRIConfig CRIConfigParts CRIRegistryConfig EtcFile EtcFileConfig
      UdevRules`,
    hardware: "PCIDriverRebind PCIDriverRebindConfig",
    k8s: `AddressFilter ControlPlaneBootstrapManifests ControlPlaneExtraManifests KubePrism
      KubePrismConfig KubePrismEndpoints Manifest NodeAnnotationSpec NodeCordonedSpec NodeLabelSpec
      NodeTaintSpec`,
    kubeaccess: "Config",
    kubespan: "Config Identity Manager",
    network: `AddressConfig AddressSpec BGPInstanceConfig DNSResolveCache DNSUpstream DeviceConfig
      EtcFile EthernetConfig EthernetSpec HostDNSConfig HostnameConfig HostnameSpec LinkAliasConfig
      LinkAliasSpec LinkConfig LinkSpec NfTablesChain NfTablesChainConfig NodeAddress
      NodeAddressSortAlgorithm OperatorConfig OperatorVIPConfig PlatformConfigApply ProbeConfig
      ResolverConfig ResolverSpec RouteConfig RouteSpec RouterAdvertisement RoutingRuleConfig
      RoutingRuleSpec StaticHost TimeServerConfig TimeServerSpec`,
    runtime: `APIServiceConfig Environment EventsSinkConfig ExtensionService ExtensionServiceConfig
      ExtensionServiceConfigFiles KernelModuleConfig KernelModuleSpec KernelParamConfig
      KernelParamDefaults KernelParamSpec KmsgLogConfig OOM UdevService UniqueMachineToken
      WatchdogTimer WatchdogTimerConfig`,
    secrets: "EncryptionSalt Trustd TrustedRoots",
    security: "ImageVerificationConfig",
    siderolink: "Config",
    storage: `LVMLogicalVolumeReconcile LVMLogicalVolumeSpec LVMPhysicalVolumeSpec
      LVMVolumeGroupReconcile LVMVolumeGroupSpec MDArrayReconcile MDArraySpec`,
  },
  asks: {
    cluster: "DiscoveryService KubernetesPull KubernetesPush",
    containers: "Image",
    etcd: "AdvertisedPeer Member",
    k8s: `Endpoint ExtraManifest KubeletStaticPod ManifestApply NodeApply NodeStatus
      StaticEndpoint`,
    kubeaccess: "CRD Endpoint",
    network: "BGP OperatorSpec PlatformConfig Probe",
    runtime: "KmsgLogDelivery",
    secrets: "API",
    security: "TUFTrustedRoot",
    siderolink: "Manager UserspaceWireguard",
    time: "Sync",
    v1alpha1: "EventsSink",
  },
  observes: {
    block: `Devices DiscoveredVolumesStatus Discovery Disks FSScrub LVMActivation MountStatus
      SwapStatus Symlinks SystemDisk VolumeTrim ZswapStatus`,
    cluster: "AffiliateMerge Endpoint LocalAffiliate Member",
    files: "IQN NQN",
    hardware: "CPUInfo PCIDevices PCRStatus SystemInfo",
    k8s: "KubeletStatus",
    kubespan: "Endpoint PeerSpec",
    network: `AddressEvent AddressStatus EthernetStatus HardwareAddr LinkStatus PlatformConfigLoad
      PlatformConfigStore RouteStatus RoutingRuleStatus Status`,
    perf: "Stats",
    runtime: `BootID BootedEntry CRIImageGC DevicesStatus Diagnostics DiagnosticsLogger
      DropUpgradeFallback ExtensionStatus ImageFactorySchematic KernelCmdline KernelModuleStatus
      KmsgLogStorage LoadedKernelModule LogPersistence MachineStatus MachineStatusPublisher
      MaintenanceConfig MaintenanceService MaintenanceServiceInform MountStatus Reboot SBOMItem
      SecurityState UnattendedInstall Version`,
    secrets: "Maintenance MaintenanceCertSANs MaintenanceRoot",
    siderolink: "Status",
    storage: "LVMActivation LVMRefreshTrigger LVMScan MDLastResort MDMonitor",
    time: "AdjtimeStatus",
    v1alpha1: "Service",
  },
};

/** Names of other forms. */
const patterns: readonly (readonly [RegExp, ControllerDuty])[] = [
  // They merge parts of the network's configuration, and are named after the type of resource.
  [/^\w+MergeControllers\.net\.talos\.dev$/, "applies"],
  // One for each containerd and each of its namespaces.
  [/^.+\..+\.ImageGCController$/, "observes"],
];

const rows = (Object.keys(duties) as ControllerDuty[]).flatMap((duty) =>
  Object.entries(duties[duty]).flatMap(([room, names]) =>
    names.split(/\s+/).map((name) => [`${room}.${name}Controller`, duty] as const),
  ),
);

const dutyByName: ReadonlyMap<string, ControllerDuty> = new Map(rows);

/** The names in the table, for the test that looks for names without a controller. */
export const namedControllers: readonly string[] = rows.map(([name]) => name);

/** The duty of a controller by its name; undefined for one that this package doesn't know. */
export function dutyOf(controller: string): ControllerDuty | undefined {
  return dutyByName.get(controller) ?? patterns.find(([pattern]) => pattern.test(controller))?.[1];
}
