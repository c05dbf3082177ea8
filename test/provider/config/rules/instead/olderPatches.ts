import type { ConfigDocument } from "../../../../../provider/config/machineConfig";

type Case = readonly [patch: string, field: string, ...shown: ConfigDocument[]];

/** A patch written for older contracts, the field that the error is about, and what it shows. */
const cases: readonly Case[] = [
  [
    "machine: {nodeLabels: {a: b}}",
    "machine.nodeLabels",
    { kind: "KubeNodeConfig", labels: { a: "b" } },
  ],
  [
    "machine: {nodeAnnotations: {a: b}}",
    "machine.nodeAnnotations",
    { kind: "KubeNodeConfig", annotations: { a: "b" } },
  ],
  [
    "machine: {nodeTaints: {a: NoSchedule}}",
    "machine.nodeTaints",
    { kind: "KubeNodeConfig", taints: { a: "NoSchedule" } },
  ],
  [
    "cluster: {allowSchedulingOnControlPlanes: true}",
    "cluster.allowSchedulingOnControlPlanes",
    {
      kind: "KubeNodeConfig",
      taints: { "node-role.kubernetes.io/control-plane": { $patch: "delete" } },
    },
  ],
  [
    "machine: {kubelet: {extraArgs: {v: 4}, extraConfig: {maxPods: 200}, nodeIP: {validSubnets: [10.0.0.0/8]}}}",
    "machine.kubelet",
    { kind: "KubeletConfig", extraArgs: { v: "4" }, config: { maxPods: 200 } },
    { kind: "KubeNodeConfig", nodeIP: { validSubnets: ["10.0.0.0/8"] } },
  ],
  [
    "machine: {kubelet: {clusterDNS: [10.96.0.10], defaultRuntimeSeccompProfileEnabled: false, credentialProviderConfig: {apiVersion: kubelet.config.k8s.io/v1, kind: CredentialProviderConfig, providers: []}}}",
    "machine.kubelet",
    {
      kind: "KubeletConfig",
      clusterDNS: ["10.96.0.10"],
      defaultRuntimeSeccompProfileEnabled: false,
    },
    {
      kind: "KubeCredentialProviderConfig",
      configuration: {
        apiVersion: "kubelet.config.k8s.io/v1",
        kind: "CredentialProviderConfig",
        providers: [],
      },
    },
  ],
  [
    "machine: {install: {image: 'factory.talos.dev/aws-installer/abc:v1.14.1', disk: /dev/sdb, wipe: true}}",
    "machine.install",
    {
      kind: "UnattendedInstallConfig",
      installer: { image: "factory.talos.dev/aws-installer/abc:v1.14.1" },
      provisioning: { diskSelector: { match: 'disk.dev_path == "/dev/sdb"' }, wipe: true },
    },
  ],
  [
    "machine: {network: {hostname: node-1}}",
    "machine.network.hostname",
    { kind: "HostnameConfig", auto: "off", hostname: "node-1" },
  ],
  [
    "machine: {network: {nameservers: [10.0.0.2]}}",
    "machine.network.nameservers",
    { kind: "ResolverConfig", nameservers: [{ address: "10.0.0.2" }] },
  ],
  [
    "machine: {network: {searchDomains: [example.com]}}",
    "machine.network.searchDomains",
    { kind: "ResolverConfig", searchDomains: { domains: ["example.com"] } },
  ],
  [
    "machine: {network: {disableSearchDomain: true}}",
    "machine.network.disableSearchDomain",
    { kind: "ResolverConfig", searchDomains: { disableDefault: true } },
  ],
  [
    "machine: {features: {hostDNS: {enabled: true, resolveMemberNames: true}}}",
    "machine.features.hostDNS",
    { kind: "ResolverConfig", hostDNS: { enabled: true, resolveMemberNames: true } },
  ],
  [
    "machine: {features: {kubePrism: {enabled: true, port: 7446}}}",
    "machine.features.kubePrism",
    { kind: "KubePrismConfig", port: 7446 },
  ],
  [
    "machine: {features: {kubePrism: {enabled: false}}}",
    "machine.features.kubePrism",
    { kind: "KubePrismConfig", $patch: "delete" },
  ],
  [
    "cluster: {discovery: {enabled: false}}",
    "cluster.discovery",
    { kind: "DiscoveryServiceConfig", name: "default", $patch: "delete" },
  ],
  [
    "cluster: {discovery: {enabled: true, registries: {service: {endpoint: https://d.example.com/}}}}",
    "cluster.discovery",
    { kind: "DiscoveryServiceConfig", name: "default", endpoint: "https://d.example.com/" },
  ],
  [
    "cluster: {network: {dnsDomain: corp.internal, podSubnets: [10.128.0.0/16]}}",
    "cluster.network",
    { kind: "KubeNetworkConfig", dnsDomain: "corp.internal", podSubnets: ["10.128.0.0/16"] },
  ],
  [
    "cluster: {network: {cni: {name: none}}}",
    "cluster.network",
    { kind: "KubeFlannelCNIConfig", $patch: "delete" },
  ],
  [
    "cluster: {network: {cni: {name: custom, urls: ['https://example.com/cni.yaml']}}}",
    "cluster.network",
    { kind: "KubeFlannelCNIConfig", $patch: "delete" },
    {
      kind: "KubeExternalManifestConfig",
      name: "custom-cni",
      url: "https://example.com/cni.yaml",
    },
  ],
  [
    "cluster: {network: {cni: {name: flannel, flannel: {extraArgs: [--iface=eth1]}}}}",
    "cluster.network",
    { kind: "KubeFlannelCNIConfig", extraArgs: ["--iface=eth1"] },
  ],
  [
    "cluster: {clusterName: other}",
    "cluster.clusterName",
    { kind: "KubeClusterConfig", clusterName: "other" },
  ],
  [
    "cluster: {controlPlane: {endpoint: 'https://other.example.com:6443'}}",
    "cluster.controlPlane.endpoint",
    { kind: "KubeClusterConfig", endpoint: "https://other.example.com:6443" },
  ],
  [
    "cluster: {controlPlane: {localAPIServerPort: 7443}}",
    "cluster.controlPlane.localAPIServerPort",
    { kind: "KubeAPIServerConfig", apiPort: 7443 },
  ],
  [
    "cluster: {apiServer: {extraArgs: {event-ttl: 3h}, certSANs: [api.example.com], env: {GOGC: '50'}}}",
    "cluster.apiServer",
    {
      kind: "KubeAPIServerConfig",
      extraArgs: { "event-ttl": "3h" },
      env: { GOGC: "50" },
      certExtraSANs: ["api.example.com"],
    },
  ],
  [
    "cluster: {apiServer: {admissionControl: [{name: PodSecurity, configuration: {defaults: {enforce: privileged}}}], auditPolicy: {apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: None}]}}}",
    "cluster.apiServer",
    {
      kind: "KubeAdmissionControlConfig",
      name: "PodSecurity",
      configuration: { defaults: { enforce: "privileged" } },
    },
    {
      kind: "KubeAuditPolicyConfig",
      configuration: { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "None" }] },
    },
  ],
  [
    "cluster: {apiServer: {extraArgs: {oidc-issuer-url: 'https://id.example.com', oidc-client-id: k8s, oidc-groups-claim: groups, oidc-required-claim: 'team=ops'}}}",
    "cluster.apiServer",
    {
      kind: "KubeAuthenticationConfig",
      configuration: {
        anonymous: {
          enabled: true,
          conditions: [{ path: "/livez" }, { path: "/readyz" }, { path: "/healthz" }],
        },
        jwt: [
          {
            issuer: { url: "https://id.example.com", audiences: ["k8s"] },
            claimMappings: {
              username: { claim: "sub", prefix: "https://id.example.com#" },
              groups: { claim: "groups", prefix: "" },
            },
            claimValidationRules: [{ claim: "team", requiredValue: "ops" }],
          },
        ],
      },
    },
  ],
  [
    "cluster: {controllerManager: {extraArgs: {v: 4}}}",
    "cluster.controllerManager",
    { kind: "KubeControllerManagerConfig", extraArgs: { v: "4" } },
  ],
  [
    "cluster: {scheduler: {config: {apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration}}}",
    "cluster.scheduler",
    {
      kind: "KubeSchedulerConfig",
      config: {
        apiVersion: "kubescheduler.config.k8s.io/v1",
        kind: "KubeSchedulerConfiguration",
      },
    },
  ],
  [
    "machine: {controlPlane: {scheduler: {disabled: true}}}",
    "machine.controlPlane.scheduler",
    { kind: "KubeSchedulerConfig", enabled: false },
  ],
  [
    "machine: {controlPlane: {controllerManager: {disabled: true}}}",
    "machine.controlPlane.controllerManager",
    { kind: "KubeControllerManagerConfig", enabled: false },
  ],
  [
    "cluster: {proxy: {disabled: true}}",
    "cluster.proxy",
    { kind: "KubeProxyConfig", enabled: false },
  ],
  [
    "cluster: {proxy: {mode: nftables}}",
    "cluster.proxy",
    { kind: "KubeProxyConfig", mode: "nftables" },
  ],
  [
    "cluster: {coreDNS: {disabled: true}}",
    "cluster.coreDNS",
    { kind: "KubeCoreDNSConfig", enabled: false },
  ],
];

/** Patches written for older contracts, the field that an error is about, and what it shows to write instead. */
export const olderPatches = cases.map(([patch, field, ...shown]) => ({ patch, field, shown }));

/** The documents that a message shows. */
export function shownIn(message: string): string {
  return message.slice(message.indexOf(":\n") + 2);
}
