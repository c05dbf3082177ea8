import { needsBootForFiles } from "./bootFiles";
import { changesEtcdTrust } from "./etcdTrust";
import type { ConfigDocument } from "./machineConfig";

/**
 * When a changed place of a running machine's configuration takes effect:
 * - `atOnce`: a controller of Talos follows it, or restarts the one service that it concerns;
 * - `boot`: when the machine boots, because it is read when something starts, and Talos starts that
 *   only with the machine;
 * - `nextStart`: when a service starts for another reason. Nothing is restarted for it;
 * - `upgrade`: when Talos is installed or upgraded;
 * - `newMachine`: only on machines, nodes or volumes that do not exist yet;
 * - `manifests`: never by Talos on objects that exist. `KubernetesManifests` applies it.
 */
export type Effect = "atOnce" | "boot" | "nextStart" | "upgrade" | "newMachine" | "manifests";

/** A place of the configuration, with everything below it that has no longer row. */
export interface EffectRow {
  /**
   * Key path as in an outline (`outlineDocuments`), beginning with the kind for other documents. `*`
   * is any key.
   */
  readonly path: string;
  /** With Talos v1.10 to v1.13; of kinds that came with v1.14, with that. */
  readonly effect: Effect;
  /** With Talos v1.14 and newer. Default: `effect`. */
  readonly from14?: Effect;
  /** The effect if the place, or its whole other document, is added. Default: `effect`. */
  readonly added?: Effect;
  /** The effect if it is removed. Default: `effect`. */
  readonly removed?: Effect;
  /** Whether a change has this effect. Otherwise it is `atOnce`. Default: always. */
  readonly when?: (
    before: ConfigDocument,
    after: ConfigDocument,
    talosMinor: number | undefined,
  ) => boolean;
  /** Why the change has no effect now, and what to do; for a warning. */
  readonly reason?: string;
}

/** Rows of one effect. */
function rows(effect: Effect, parent: string, ...keys: readonly string[]): readonly EffectRow[] {
  return keys.map((key) => ({ path: parent === "" ? key : `${parent}.${key}`, effect }));
}

/** Rows of what needs a boot up to Talos v1.13, and nothing from v1.14 on. */
function bootUntil13(parent: string, ...keys: readonly string[]): readonly EffectRow[] {
  return rows("boot", parent, ...keys).map((row) => ({ ...row, from14: "atOnce" }));
}

const INSTALL = "the installer reads it when Talos is installed or upgraded: it takes effect then";
const DISK = "Talos is installed already: only new machines follow it";
const VOLUME = "a volume that exists keeps its own: only new volumes follow it";
const NODE_TAINTS =
  "a node gets these taints only when it registers, and existing nodes keep theirs: change them with `kubectl taint node`, or recreate the machine";
const NODE_LABELS =
  "a node gets these labels only when it registers, and existing nodes keep theirs: use the option nodeLabels";

/** A whole volume is made and closed at once. */
const WHOLE = { added: "atOnce", removed: "atOnce" } as const;

/**
 * Settings of volumes. Other settings of a ready volume wait for the next boot, or have no effect.
 * Source: D/controllers/block/volume_manager.go, `processVolumeConfig`.
 *
 * @param whole the effect of a whole document. Default: those of its settings, because Talos' own
 *   volumes exist without one
 */
function volume(kind: string, whole: Partial<typeof WHOLE> = {}): readonly EffectRow[] {
  const fixed = [
    ...["provisioning.diskSelector", "provisioning.minSize"],
    ...(kind === "UserVolumeConfig" ? ["volumeType", "filesystem"] : []),
    ...["provider", "cipher", "keySize", "blockSize", "options"].map((key) => `encryption.${key}`),
  ];
  return [
    { path: kind, effect: "boot", ...whole },
    ...fixed.map((key): EffectRow => {
      const path = `${kind}.${key}`;
      return { path, effect: "newMachine", ...whole, reason: VOLUME };
    }),
  ];
}

/**
 * When each place of a machine's configuration takes effect. The answer for another Talos is another
 * column. The source is above each group of rows: files of siderolabs/talos v1.12.1, compared with
 * v1.13.9 and v1.14.1. `D/` is internal/app/machined/pkg/.
 */
export const effectTable: readonly EffectRow[] = [
  // Up to v1.13, Talos itself reboots for these: D/runtime/v1alpha1/v1alpha1_runtime.go,
  // `CanApplyImmediate`. v1.14 never does, but reads them only at a boot:
  // D/runtime/v1alpha1/v1alpha1_sequencer_tasks.go, D/controllers/block.
  ...rows("boot", "machine", "type", "disks", "env", "systemDiskEncryption"),
  { path: "machine.files", effect: "boot", when: needsBootForFiles },
  ...rows("boot", "machine.features", "diskQuotaSupport"),
  // Controllers of v1.14 follow these: D/controllers/secrets/root.go, files/udev.go, cri/service.go.
  ...bootUntil13("machine", "token", "udev", "baseRuntimeSpecOverrides"),
  // Nothing of v1.14 reads these.
  ...bootUntil13("", "persist"),
  ...bootUntil13("machine.features", "rbac", "stableHostname", "apidCheckExtKeyUsage"),

  // Talos accepts these without a reboot. etcd: D/system/services/etcd.go, `PreFunc` and `Runner`.
  ...rows("boot", "cluster.etcd", "image", "extraArgs", "subnet", "advertisedSubnets"),
  ...rows("boot", "cluster.etcd", "listenSubnets"),
  { path: "cluster.etcd.ca", effect: "boot", when: changesEtcdTrust },
  // containerd reads its configuration when it starts: D/controllers/files/cri_registry_config.go.
  // v1.14 starts it again, and pods stay: D/controllers/cri/service.go.
  ...bootUntil13("", "machine.registries.config.*.auth", "RegistryAuthConfig"),
  // Programs read the system's certificates once: Go, crypto/x509/root.go.
  ...rows("boot", "", "TrustedRootsConfig"),
  // Services get their environment when they start, and a removed variable stays in machined:
  // D/controllers/runtime/environment.go (v1.13.9), D/system/services.
  ...rows("boot", "", "EnvironmentConfig"),
  // No module is unloaded, and a loaded one keeps its parameters:
  // D/controllers/runtime/kernel_module_spec.go.
  { path: "machine.kernel.modules.*", effect: "boot", added: "atOnce" },
  ...volume("VolumeConfig"),
  ...["UserVolumeConfig", "RawVolumeConfig", "SwapVolumeConfig"].flatMap((kind) =>
    volume(kind, WHOLE),
  ),
  // What is mounted stays so: D/controllers/block/mount.go.
  { path: "ExistingVolumeConfig", effect: "boot", ...WHOLE },
  { path: "ExternalVolumeConfig", effect: "boot", ...WHOLE },

  // Each service gets it when it starts: D/system/services, `Config().Debug()`.
  {
    path: "debug",
    effect: "nextStart",
    reason:
      "a service that runs keeps sending its log where it did: it follows when the machine restarts",
  },

  // D/runtime/v1alpha1/v1alpha1_sequencer_tasks.go, `Install`; internal/pkg/install/install.go.
  ...rows("upgrade", "machine.install", "image"),
  ...["extraKernelArgs", "legacyBIOSSupport", "grubUseUKICmdline"].map((key): EffectRow => ({
    path: `machine.install.${key}`,
    effect: "upgrade",
    reason: INSTALL,
  })),
  ...["disk", "diskSelector", "wipe", "bootloader", "extensions"].map((key): EffectRow => ({
    path: `machine.install.${key}`,
    effect: "newMachine",
    reason: DISK,
  })),

  // Kubernetes' pkg/kubelet/kubelet_node_status.go: a node that exists keeps them.
  ...["extraConfig.registerWithTaints", "extraArgs.register-with-taints"].map((key): EffectRow => ({
    path: `machine.kubelet.${key}`,
    effect: "newMachine",
    reason: NODE_TAINTS,
  })),
  {
    path: "machine.kubelet.extraArgs.node-labels",
    effect: "newMachine",
    reason: NODE_LABELS,
  },

  // D/controllers/k8s/manifest_apply.go: objects that exist are left alone.
  ...rows("manifests", "cluster", "proxy", "coreDNS", "extraManifests", "extraManifestHeaders"),
  ...rows("manifests", "cluster", "inlineManifests", "network.cni"),
  ...rows("manifests", "cluster", "externalCloudProvider.manifests"),

  // Controllers follow the rest.
  ...rows("atOnce", "", "version"),
  ...rows("atOnce", "machine", "ca", "acceptedCAs", "certSANs", "controlPlane", "kubelet", "pods"),
  ...rows("atOnce", "machine", "network", "time", "sysctls", "sysfs", "registries", "logging"),
  ...rows("atOnce", "machine", "kernel", "seccompProfiles"),
  ...rows("atOnce", "machine", "nodeLabels", "nodeAnnotations", "nodeTaints"),
  ...rows("atOnce", "machine.features", "kubernetesTalosAPIAccess", "kubePrism", "hostDNS"),
  ...rows("atOnce", "machine.features", "imageCache", "nodeAddressSortAlgorithm"),
  ...rows("atOnce", "cluster", "id", "secret", "controlPlane", "clusterName", "token"),
  ...rows("atOnce", "cluster", "network.dnsDomain", "network.podSubnets", "network.serviceSubnets"),
  ...rows("atOnce", "cluster", "aescbcEncryptionSecret", "secretboxEncryptionSecret"),
  ...rows("atOnce", "cluster", "ca", "acceptedCAs", "aggregatorCA", "serviceAccount"),
  ...rows("atOnce", "cluster", "apiServer", "controllerManager", "scheduler", "discovery"),
  ...rows("atOnce", "cluster", "externalCloudProvider.enabled", "adminKubeconfig"),
  ...rows("atOnce", "cluster", "allowSchedulingOnMasters", "allowSchedulingOnControlPlanes"),
  ...rows("atOnce", "", "BlackholeRouteConfig", "BondConfig", "BridgeConfig", "DHCPv4Config"),
  ...rows("atOnce", "", "DHCPv6Config", "DummyLinkConfig", "EthernetConfig", "EventSinkConfig"),
  ...rows("atOnce", "", "ExtensionServiceConfig", "HCloudVIPConfig", "HostnameConfig"),
  ...rows("atOnce", "", "ImageVerificationConfig", "KmsgLogConfig", "KubeSpanConfig"),
  ...rows("atOnce", "", "KubeSpanEndpointsConfig", "Layer2VIPConfig", "LinkAliasConfig"),
  ...rows("atOnce", "", "LinkConfig", "NetworkDefaultActionConfig", "NetworkRuleConfig"),
  ...rows("atOnce", "", "OOMConfig", "PCIDriverRebindConfig", "RegistryMirrorConfig"),
  ...rows("atOnce", "", "RegistryTLSConfig", "ResolverConfig", "RoutingRuleConfig"),
  ...rows("atOnce", "", "SideroLinkConfig", "StaticHostConfig", "TCPProbeConfig"),
  ...rows("atOnce", "", "TimeSyncConfig", "VLANConfig", "VRFConfig", "WatchdogTimerConfig"),
  ...rows("atOnce", "", "WireguardConfig", "ZswapConfig"),

  ...kindsOfV114(),
];

/** The kinds that came with Talos v1.14, from its release v1.14.1. */
function kindsOfV114(): readonly EffectRow[] {
  return [
    // machined asks before it starts a service: D/sandboxd/enabled.go.
    ...rows("boot", "", "SecurityProfileConfig"),
    { path: "KernelModuleConfig", effect: "boot", added: "atOnce" },
    { path: "UnattendedInstallConfig", effect: "newMachine", reason: DISK },
    ...rows("upgrade", "UnattendedInstallConfig", "installer"),
    // D/controllers/block/volume_trim_schedule.go, fs_scrub_schedule.go.
    ...rows("atOnce", "", "FilesystemTrimConfig", "FilesystemScrubConfig"),
    // Logical volumes grow: D/controllers/storage/{lvm_logical_volume,md_array}_reconcile.go.
    ...rows("atOnce", "", "LVMVolumeGroupConfig", "LVMLogicalVolumeConfig", "RAIDArrayConfig"),
    ...[
      ...["type", "mirrors", "stripes"].map((key) => `LVMLogicalVolumeConfig.${key}`),
      ...["level", "metadata"].map((key) => `RAIDArrayConfig.${key}`),
    ].map((path): EffectRow => ({ path, effect: "newMachine", ...WHOLE, reason: VOLUME })),
    ...rows("atOnce", "", "CRIBaseRuntimeSpecConfig", "CRICustomizationConfig", "ContainerConfig"),
    ...rows("atOnce", "", "EtcFileConfig", "ImageCacheConfig", "SysctlConfig", "SysfsConfig"),
    ...rows("atOnce", "", "UdevRulesConfig", "BGPInstanceConfig", "HTTPProbeConfig", "VethConfig"),
    ...rows("atOnce", "", "DiscoveryIdentityConfig", "DiscoveryServiceConfig"),
    ...rows("atOnce", "", "KubeAPIServerCAConfig", "KubeAPIServerConfig", "KubeletConfig"),
    ...["config.registerWithTaints", "extraArgs.register-with-taints"].map((key): EffectRow => ({
      path: `KubeletConfig.${key}`,
      effect: "newMachine",
      reason: NODE_TAINTS,
    })),
    {
      path: "KubeletConfig.extraArgs.node-labels",
      effect: "newMachine",
      reason: NODE_LABELS,
    },
    ...rows("atOnce", "", "KubeAdmissionControlConfig", "KubeAggregatorCAConfig"),
    ...rows("atOnce", "", "KubeAuditPolicyConfig", "KubeAuthenticationConfig"),
    ...rows("atOnce", "", "KubeAuthorizerConfig", "KubeClusterConfig"),
    ...rows("atOnce", "", "KubeControllerManagerConfig", "KubeCredentialProviderConfig"),
    ...rows("atOnce", "", "KubeEtcdEncryptionConfig", "KubeNetworkConfig", "KubeNodeConfig"),
    ...rows("atOnce", "", "KubePrismConfig", "KubeSchedulerConfig", "KubeServiceAccountConfig"),
    ...rows("atOnce", "", "KubeStaticPodConfig", "KubeTalosAPIAccessConfig"),
    // D/controllers/k8s/manifest_apply.go.
    ...rows("manifests", "", "KubeCoreDNSConfig", "KubeProxyConfig", "KubeFlannelCNIConfig"),
    ...rows("manifests", "", "KubeExternalManifestConfig", "KubeInlineManifestConfig"),
  ];
}
