/**
 * How a document says what a field says:
 * - `opposite`: `enabled` for `disabled`;
 * - `pem`: PEM as text for PEM in base64.
 */
export type MemberForm = "opposite" | "pem";

/** The field of a document's member, and how that says it. Default: the same value. */
export type MemberPlace = string | readonly [field: string, form: MemberForm];

/** A kind of document, and the fields of the machine configuration proper that it replaces. */
export interface KindPlace {
  readonly kind: string;
  /** The section that has the members without a row in `members` under their own names. Default: none. */
  readonly section?: string;
  /** Fields by the key path of the member in the document. */
  readonly members?: Readonly<Record<string, MemberPlace>>;
  /** A field that is true while there is such a document. Default: none. */
  readonly presence?: string;
  /** The member by which the document counts: only while it is true. Default: always. */
  readonly counts?: string;
  /**
   * What counts where a configuration has both. Talos refuses most such pairs.
   * - `document`: the fields are not read at all, also where the document leaves one out;
   * - `fields`: the document is not read while one of the fields says something;
   * - `both`: entries of the document come before those of the same key.
   *
   * Default: `document`.
   */
  readonly wins?: "document" | "fields" | "both";
}

const FEATURES = "machine.features";

/**
 * Where the settings of a machine stand since documents took them over. A setting is named by its
 * place in the machine configuration proper, where every release has it. Kinds with a form of their
 * own are in `formsOfKinds.ts`, those with several documents in `namedKinds.ts`.
 *
 * Source: siderolabs/talos v1.14.1, pkg/machinery/config/container/container.go, and
 * types/v1alpha1/{v1alpha1_k8s_bridge,v1alpha1_network_bridge,v1alpha1_cri_bridge}.go. A test compares
 * with that code.
 */
export const settingPlaces: readonly KindPlace[] = [
  // Since v1.12 and v1.13.
  { kind: "HostnameConfig", members: { hostname: "machine.network.hostname" } },
  { kind: "KubeSpanConfig", section: "machine.network.kubespan" },
  {
    kind: "TimeSyncConfig",
    members: {
      enabled: ["machine.time.disabled", "opposite"],
      "ntp.servers": "machine.time.servers",
      bootTimeout: "machine.time.bootTimeout",
    },
  },

  // Since v1.14. The machine.
  {
    kind: "UnattendedInstallConfig",
    members: {
      "installer.image": "machine.install.image",
      "provisioning.wipe": "machine.install.wipe",
    },
  },
  {
    kind: "ResolverConfig",
    members: {
      "hostDNS.enabled": `${FEATURES}.hostDNS.enabled`,
      "hostDNS.forwardKubeDNSToHost": `${FEATURES}.hostDNS.forwardKubeDNSToHost`,
      "hostDNS.resolveMemberNames": `${FEATURES}.hostDNS.resolveMemberNames`,
    },
    counts: "hostDNS.enabled",
  },
  { kind: "SysctlConfig", members: { params: "machine.sysctls" }, wins: "both" },
  { kind: "SysfsConfig", members: { params: "machine.sysfs" }, wins: "both" },
  { kind: "UdevRulesConfig", members: { rules: "machine.udev.rules" } },
  {
    kind: "CRIBaseRuntimeSpecConfig",
    members: { overrides: "machine.baseRuntimeSpecOverrides" },
  },
  {
    kind: "ImageCacheConfig",
    members: { "local.enabled": `${FEATURES}.imageCache.localEnabled` },
  },
  {
    kind: "DiscoveryIdentityConfig",
    members: { clusterID: "cluster.id", clusterSecret: "cluster.secret" },
    wins: "fields",
  },

  // Since v1.14. The node.
  {
    kind: "KubeletConfig",
    section: "machine.kubelet",
    members: { config: "machine.kubelet.extraConfig" },
  },
  {
    kind: "KubeCredentialProviderConfig",
    members: { configuration: "machine.kubelet.credentialProviderConfig" },
  },
  {
    kind: "KubeNodeConfig",
    members: {
      skipNodeRegistration: "machine.kubelet.skipNodeRegistration",
      registerWithFQDN: "machine.kubelet.registerWithFQDN",
      nodeIP: "machine.kubelet.nodeIP",
      labels: "machine.nodeLabels",
      annotations: "machine.nodeAnnotations",
      taints: "machine.nodeTaints",
    },
  },
  {
    kind: "KubePrismConfig",
    section: `${FEATURES}.kubePrism`,
    presence: `${FEATURES}.kubePrism.enabled`,
  },

  // Since v1.14. The cluster, and its control plane.
  {
    kind: "KubeClusterConfig",
    members: { clusterName: "cluster.clusterName", endpoint: "cluster.controlPlane.endpoint" },
  },
  { kind: "KubeNetworkConfig", section: "cluster.network" },
  {
    kind: "KubeServiceAccountConfig",
    members: { "issuer.privateKey": ["cluster.serviceAccount.key", "pem"] },
  },
  {
    kind: "KubeAPIServerConfig",
    section: "cluster.apiServer",
    members: {
      certExtraSANs: "cluster.apiServer.certSANs",
      apiPort: "cluster.controlPlane.localAPIServerPort",
    },
  },
  {
    kind: "KubeAuditPolicyConfig",
    members: { configuration: "cluster.apiServer.auditPolicy" },
  },
  {
    kind: "KubeControllerManagerConfig",
    section: "cluster.controllerManager",
    members: { enabled: ["machine.controlPlane.controllerManager.disabled", "opposite"] },
  },
  {
    kind: "KubeSchedulerConfig",
    section: "cluster.scheduler",
    members: { enabled: ["machine.controlPlane.scheduler.disabled", "opposite"] },
  },
  {
    kind: "KubeProxyConfig",
    section: "cluster.proxy",
    members: { enabled: ["cluster.proxy.disabled", "opposite"] },
  },
  {
    kind: "KubeCoreDNSConfig",
    section: "cluster.coreDNS",
    members: { enabled: ["cluster.coreDNS.disabled", "opposite"] },
  },
  {
    kind: "KubeTalosAPIAccessConfig",
    section: `${FEATURES}.kubernetesTalosAPIAccess`,
    presence: `${FEATURES}.kubernetesTalosAPIAccess.enabled`,
  },
];
