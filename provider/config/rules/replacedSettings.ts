import type { Path } from "../path";

/** A setting of the machine configuration that a document kind replaces. */
export interface ReplacedSetting {
  readonly kind: string;
  readonly path: Path;
  readonly advice: string;
  /**
   * What conflicts: a value that says something, so neither empty nor false, or any value. Default:
   * `value`
   */
  readonly conflicts?: "value" | "presence";
  /** The section of the document that replaces it. Default: the whole document */
  readonly section?: string;
}

/** A setting that has to go when its document is there. */
function anyOf(kind: string, ...paths: readonly string[]): readonly ReplacedSetting[] {
  return paths.map((path) => ({
    kind,
    path: path.split("."),
    conflicts: "presence" as const,
    advice: `leave it out, or leave the document ${kind} out`,
  }));
}

/** The same, if it says something. */
function valueOf(kind: string, ...paths: readonly string[]): readonly ReplacedSetting[] {
  return anyOf(kind, ...paths).map((row) => ({ ...row, conflicts: "value" }));
}

/**
 * Settings of the machine configuration that conflict with a document for the same purpose. Source:
 * the V1Alpha1ConflictValidate methods of pkg/machinery/config/types, Talos v1.12.1 and v1.14.1.
 */
export const replacedSettings: readonly ReplacedSetting[] = [
  {
    kind: "HostnameConfig",
    path: ["machine", "network", "hostname"],
    advice:
      'patch the document HostnameConfig instead: {apiVersion: v1alpha1, kind: HostnameConfig, auto: "off", hostname: …}',
  },
  {
    kind: "HostnameConfig",
    path: ["machine", "features", "stableHostname"],
    advice: 'the document HostnameConfig does the same with auto "stable": leave it out',
  },
  ...valueOf("KubeSpanConfig", "machine.network.kubespan"),
  ...["nameservers", "searchDomains", "disableSearchDomain"].flatMap((key) =>
    valueOf("ResolverConfig", `machine.network.${key}`),
  ),
  ...["disabled", "servers", "bootTimeout"].flatMap((key) =>
    valueOf("TimeSyncConfig", `machine.time.${key}`),
  ),

  // Since v1.14.
  ...anyOf("ResolverConfig", "machine.features.hostDNS").map((row) => ({
    ...row,
    section: "hostDNS",
  })),
  ...anyOf("UnattendedInstallConfig", "machine.install"),
  ...anyOf("CRIBaseRuntimeSpecConfig", "machine.baseRuntimeSpecOverrides"),
  ...anyOf("ImageCacheConfig", "machine.features.imageCache"),
  ...anyOf("DiscoveryServiceConfig", "cluster.discovery"),
  ...valueOf("DiscoveryIdentityConfig", "cluster.id", "cluster.secret"),
  ...valueOf("KubeClusterConfig", "cluster.clusterName"),
  ...anyOf("KubeClusterConfig", "cluster.controlPlane.endpoint"),
  ...anyOf("KubeNodeConfig", "machine.nodeLabels", "machine.nodeAnnotations"),
  ...anyOf("KubeNodeConfig", "machine.nodeTaints", "machine.kubelet.skipNodeRegistration"),
  ...anyOf("KubeNodeConfig", "machine.kubelet.registerWithFQDN", "machine.kubelet.nodeIP"),
  ...anyOf("KubeNodeConfig", "cluster.allowSchedulingOnControlPlanes"),
  ...anyOf("KubeNodeConfig", "cluster.allowSchedulingOnMasters"),
  ...anyOf("KubeletConfig", "machine.kubelet"),
  ...anyOf("KubeCredentialProviderConfig", "machine.kubelet"),
  ...anyOf("KubeNetworkConfig", "cluster.network"),
  ...anyOf("KubeFlannelCNIConfig", "cluster.network"),
  ...anyOf("KubeAPIServerCAConfig", "cluster.ca"),
  ...anyOf("KubeAggregatorCAConfig", "cluster.aggregatorCA"),
  ...anyOf("KubeServiceAccountConfig", "cluster.serviceAccount"),
  ...valueOf("KubeEtcdEncryptionConfig", "cluster.secretboxEncryptionSecret"),
  ...valueOf("KubeEtcdEncryptionConfig", "cluster.aescbcEncryptionSecret"),
  ...anyOf("KubeAPIServerConfig", "cluster.apiServer"),
  ...valueOf("KubeAPIServerConfig", "cluster.controlPlane.localAPIServerPort"),
  ...valueOf("KubeAdmissionControlConfig", "cluster.apiServer.admissionControl"),
  // Talos looks at the admission plugins here too.
  ...valueOf("KubeAuthorizerConfig", "cluster.apiServer.admissionControl"),
  ...valueOf("KubeAuditPolicyConfig", "cluster.apiServer.auditPolicy"),
  ...anyOf("KubeControllerManagerConfig", "cluster.controllerManager"),
  ...anyOf("KubeControllerManagerConfig", "machine.controlPlane.controllerManager"),
  ...anyOf("KubeSchedulerConfig", "cluster.scheduler", "machine.controlPlane.scheduler"),
  ...anyOf("KubeProxyConfig", "cluster.proxy"),
  ...anyOf("KubeCoreDNSConfig", "cluster.coreDNS"),
  ...anyOf("KubePrismConfig", "machine.features.kubePrism"),
  ...anyOf("KubeTalosAPIAccessConfig", "machine.features.kubernetesTalosAPIAccess"),
];
