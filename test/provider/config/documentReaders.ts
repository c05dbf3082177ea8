/**
 * How the package takes a kind of document:
 * - `harmless`: nothing in it depends on what such a document says;
 * - `read`: whatever depends on it finds the settings through `settings/`, in whichever form they are;
 * - `rotation`: it says where the cluster's keys are. Only this package may write it.
 */
export type DocumentReader = "harmless" | "read" | "rotation";

/**
 * The document kinds that came with Talos v1.14, which replace or add to fields of `v1alpha1`. All
 * older kinds are known to the code that reads them. Source: pkg/machinery/config/types, v1.14.1.
 */
export const documentReaders: ReadonlyMap<string, DocumentReader> = new Map<string, DocumentReader>(
  [
    ["BGPInstanceConfig", "harmless"],
    ["CRIBaseRuntimeSpecConfig", "harmless"],
    ["CRICustomizationConfig", "harmless"],
    ["ContainerConfig", "harmless"],
    ["DiscoveryIdentityConfig", "read"],
    ["DiscoveryServiceConfig", "read"],
    ["EtcFileConfig", "harmless"],
    ["FilesystemScrubConfig", "harmless"],
    ["FilesystemTrimConfig", "harmless"],
    ["HTTPProbeConfig", "harmless"],
    ["ImageCacheConfig", "harmless"],
    ["KernelModuleConfig", "harmless"],
    ["KubeAPIServerCAConfig", "rotation"],
    ["KubeAPIServerConfig", "read"],
    ["KubeAdmissionControlConfig", "harmless"],
    ["KubeAggregatorCAConfig", "rotation"],
    ["KubeAuditPolicyConfig", "harmless"],
    ["KubeAuthenticationConfig", "harmless"],
    ["KubeAuthorizerConfig", "harmless"],
    ["KubeClusterConfig", "read"],
    ["KubeControllerManagerConfig", "read"],
    ["KubeCoreDNSConfig", "read"],
    ["KubeCredentialProviderConfig", "read"],
    ["KubeEtcdEncryptionConfig", "rotation"],
    ["KubeExternalManifestConfig", "read"],
    ["KubeFlannelCNIConfig", "read"],
    ["KubeInlineManifestConfig", "read"],
    ["KubeNetworkConfig", "read"],
    ["KubeNodeConfig", "read"],
    ["KubePrismConfig", "read"],
    ["KubeProxyConfig", "read"],
    ["KubeSchedulerConfig", "read"],
    ["KubeServiceAccountConfig", "rotation"],
    ["KubeStaticPodConfig", "harmless"],
    ["KubeTalosAPIAccessConfig", "read"],
    ["KubeletConfig", "read"],
    ["LVMLogicalVolumeConfig", "harmless"],
    ["LVMVolumeGroupConfig", "harmless"],
    ["RAIDArrayConfig", "harmless"],
    ["SecurityProfileConfig", "harmless"],
    ["SysctlConfig", "harmless"],
    ["SysfsConfig", "harmless"],
    ["UdevRulesConfig", "harmless"],
    ["UnattendedInstallConfig", "read"],
    ["VethConfig", "harmless"],
  ],
);
