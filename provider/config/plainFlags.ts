import { isPlainValue } from "./plainValue";
import { isSecretName } from "./secretName";

/**
 * Flags of Kubernetes' components, of etcd and of flannel whose value is no credential: names, lists
 * of names, addresses. Values of other flags are shown only if their shape says enough
 * (`isPlainValue`). Source: the command-line reference of Kubernetes v1.35, etcd v3.6, flannel v0.27.
 */
const PLAIN_FLAGS: ReadonlySet<string> = new Set([
  ...["admission-control", "enable-admission-plugins", "disable-admission-plugins"],
  ...["feature-gates", "runtime-config", "authorization-mode", "api-audiences", "audit-log-mode"],
  ...["audit-log-format", "audit-log-version", "audit-webhook-mode", "audit-webhook-version"],
  ...["bind-address", "advertise-address", "address", "external-hostname", "cors-allowed-origins"],
  ...["anonymous-auth", "cloud-provider", "cluster-name", "cluster-domain", "cluster-dns"],
  ...["cluster-cidr", "service-cluster-ip-range", "service-node-port-range", "controllers"],
  ...["default-watch-cache-size", "watch-cache-sizes", "egress-selector-config-file"],
  ...["enable-aggregator-routing", "endpoint-reconciler-type", "etcd-servers-overrides"],
  ...["etcd-prefix", "storage-backend", "storage-media-type", "leader-elect-resource-lock"],
  ...["leader-elect-resource-name", "leader-elect-resource-namespace", "logging-format", "vmodule"],
  ...["log-json-split-stream", "log-level", "log-outputs", "logger", "log-format"],
  ...["tls-cipher-suites", "tls-min-version", "tls-max-version", "cipher-suites"],
  ...["oidc-issuer-url", "oidc-client-id", "oidc-username-claim", "oidc-username-prefix"],
  ...["oidc-groups-claim", "oidc-groups-prefix", "oidc-required-claim", "oidc-signing-algs"],
  ...["service-account-issuer", "service-account-jwks-uri", "service-account-max-token-expiration"],
  ...["requestheader-allowed-names", "requestheader-username-headers"],
  ...["requestheader-group-headers", "requestheader-extra-headers-prefix"],
  ...["kubelet-preferred-address-types", "strict-transport-security-directives"],
  ...["node-labels", "node-ip", "hostname-override", "register-with-taints", "provider-id"],
  ...["eviction-hard", "eviction-soft", "eviction-soft-grace-period", "eviction-minimum-reclaim"],
  ...["kube-reserved", "system-reserved", "enforce-node-allocatable", "reserved-cpus"],
  ...["cpu-manager-policy", "cpu-manager-policy-options", "memory-manager-policy"],
  ...["topology-manager-policy", "topology-manager-scope", "cgroup-driver", "cgroup-root"],
  ...["allowed-unsafe-sysctls", "container-runtime-endpoint", "image-service-endpoint"],
  ...["image-credential-provider-config", "image-credential-provider-bin-dir", "runtime-cgroups"],
  ...[
    "kubelet-cgroups",
    "system-cgroups",
    "hairpin-mode",
    "seccomp-default",
    "node-status-max-images",
  ],
  ...[
    "proxy-mode",
    "detect-local-mode",
    "ipvs-scheduler",
    "ipvs-exclude-cidrs",
    "nodeport-addresses",
  ],
  ...[
    "healthz-bind-address",
    "metrics-bind-address",
    "pod-interface-name-prefix",
    "pod-bridge-interface",
  ],
  ...[
    "node-cidr-mask-size",
    "volume-plugin-dir",
    "flex-volume-plugin-dir",
    "scheduler-name",
    "profiling",
  ],
  ...["allocate-node-cidrs", "cidr-allocator-type", "terminated-pod-gc-threshold"],
  ...["advertise-client-urls", "initial-advertise-peer-urls", "listen-metrics-urls"],
  ...["listen-client-urls", "listen-peer-urls", "initial-cluster", "initial-cluster-state"],
  ...[
    "auto-compaction-mode",
    "auto-compaction-retention",
    "metrics",
    "discovery-srv",
    "experimental-watch-progress-notify-interval",
  ],
  ...[
    "iface",
    "iface-regex",
    "iface-can-reach",
    "public-ip",
    "ip-masq",
    "kube-subnet-mgr",
    "config-name",
  ],
]);

/** Whether the value of a component's flag may be shown, except for credentials in addresses. */
export function isPlainFlag(flag: string, value: string): boolean {
  const name = flag.replace(/^-+/, "").replaceAll("_", "-");
  return PLAIN_FLAGS.has(name) || (!isSecretName(name) && isPlainValue(value));
}
