import { bootUntil13, CONTROL_PLANE, type EffectRow, restarts, rows } from "./effectRow";

const DISK = "Talos is installed already: only new machines follow it";

/**
 * When each place of another document than the machine configuration proper takes effect, without volumes.
 * Sources: siderolabs/talos v1.12.1, v1.13.9 and v1.14.1. `D/` is internal/app/machined/pkg/.
 */
export const effectsOfDocuments: readonly EffectRow[] = [
  // Programs read the system's certificates once: Go, crypto/x509/root.go.
  ...rows("boot", "", "TrustedRootsConfig"),
  // Services get their environment when they start, and a removed variable stays in machined:
  // D/controllers/runtime/environment.go (v1.13.9), D/system/services.
  ...rows("boot", "", "EnvironmentConfig"),
  // As in the machine's section: D/controllers/cri/service.go (v1.14.1).
  ...bootUntil13("", ["RegistryAuthConfig"], ["containerd"]),
  // The name is in kubelet's spec: D/controllers/k8s/kubelet_spec.go.
  ...restarts(["kubelet"], "", "HostnameConfig"),
  // D/controllers/runtime/extension_service.go.
  ...restarts(["the extension's service"], "", "ExtensionServiceConfig"),

  // Controllers follow the rest.
  ...rows("live", "", "BlackholeRouteConfig", "BondConfig", "BridgeConfig", "DHCPv4Config"),
  ...rows("live", "", "DHCPv6Config", "DummyLinkConfig", "EthernetConfig", "EventSinkConfig"),
  ...rows("live", "", "HCloudVIPConfig", "ImageVerificationConfig", "KmsgLogConfig"),
  ...rows("live", "", "KubeSpanConfig", "KubeSpanEndpointsConfig", "Layer2VIPConfig"),
  ...rows("live", "", "LinkAliasConfig", "LinkConfig", "NetworkDefaultActionConfig"),
  ...rows("live", "", "NetworkRuleConfig", "OOMConfig", "PCIDriverRebindConfig"),
  ...rows("live", "", "RegistryMirrorConfig", "RegistryTLSConfig", "ResolverConfig"),
  ...rows("live", "", "RoutingRuleConfig", "SideroLinkConfig", "StaticHostConfig"),
  ...rows("live", "", "TCPProbeConfig", "TimeSyncConfig", "VLANConfig", "VRFConfig"),
  ...rows("live", "", "WatchdogTimerConfig", "WireguardConfig", "ZswapConfig"),

  // The kinds that came with Talos v1.14, from its release v1.14.1.
  // machined asks before it starts a service: D/sandboxd/enabled.go.
  ...rows("boot", "", "SecurityProfileConfig"),
  { path: "KernelModuleConfig", effect: "boot", added: "live" },
  // D/controllers/runtime/unattended_install.go: it installs only what isn't installed.
  { path: "UnattendedInstallConfig", effect: "newMachine", reason: DISK },
  ...rows("upgrade", "UnattendedInstallConfig", "installer"),
  // D/controllers/cri/service.go.
  ...restarts(["containerd"], "", "CRIBaseRuntimeSpecConfig", "CRICustomizationConfig"),
  // D/controllers/container, which runs a changed one again.
  ...restarts(["the container"], "", "ContainerConfig"),
  // D/controllers/k8s/kubelet_spec.go, kubelet_config.go.
  ...restarts(["kubelet"], "", "KubeletConfig", "KubeCredentialProviderConfig"),
  ...restarts(["kubelet"], "KubeNodeConfig", "skipNodeRegistration", "registerWithFQDN"),
  ...restarts(["kubelet"], "KubeNodeConfig", "nodeIP"),
  // D/controllers/k8s/node_apply.go sets the rest, for workers without taints.
  ...rows("live", "", "KubeNodeConfig"),
  // D/controllers/k8s/control_plane_final.go, render_config_static_pods.go.
  ...restarts(["the API server"], "", "KubeAPIServerConfig", "KubeAdmissionControlConfig"),
  ...restarts(["the API server"], "", "KubeAuditPolicyConfig", "KubeAuthenticationConfig"),
  ...restarts(["the API server"], "", "KubeAuthorizerConfig", "KubeEtcdEncryptionConfig"),
  ...restarts(["the controller manager"], "", "KubeControllerManagerConfig"),
  ...restarts(["the scheduler"], "", "KubeSchedulerConfig"),
  // D/controllers/k8s/render_secrets_static_pod.go, secrets/{root,kubernetes,kubelet}.go.
  ...restarts(CONTROL_PLANE, "KubeAPIServerConfig", "certExtraSANs"),
  ...restarts(CONTROL_PLANE, "", "KubeAggregatorCAConfig", "KubeServiceAccountConfig"),
  ...restarts(["kubelet", ...CONTROL_PLANE], "KubeAPIServerConfig", "apiPort"),
  ...restarts(["kubelet", ...CONTROL_PLANE], "", "KubeAPIServerCAConfig", "KubePrismConfig"),
  // D/controllers/k8s/manifest_apply.go.
  ...rows("manifests", "", "KubeCoreDNSConfig", "KubeProxyConfig", "KubeFlannelCNIConfig"),
  ...rows("manifests", "", "KubeExternalManifestConfig", "KubeInlineManifestConfig"),
  // All else in them is a setting that a cluster keeps: `birthSettings.ts`.
  ...rows("live", "", "KubeClusterConfig", "KubeNetworkConfig", "DiscoveryIdentityConfig"),
  ...rows("live", "", "EtcFileConfig", "ImageCacheConfig", "SysctlConfig", "SysfsConfig"),
  ...rows("live", "", "UdevRulesConfig", "BGPInstanceConfig", "HTTPProbeConfig", "VethConfig"),
  ...rows("live", "", "DiscoveryServiceConfig", "KubeStaticPodConfig"),
  ...rows("live", "", "KubeTalosAPIAccessConfig"),
];
