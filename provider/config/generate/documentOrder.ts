import { type ConfigDocument, documentId, textAt } from "../machineConfig";
import type { VersionContract } from "../releases/versionContract";
import { union } from "./mapping";

/**
 * The kinds of documents as Talos orders them from contract v1.14 on, with those that only options of
 * this package make beside their like. Source: config/generate/{init,worker}.go, Talos v1.14.1.
 */
const KINDS: readonly string[] = [
  "DiscoveryServiceConfig",
  "DiscoveryIdentityConfig",
  "UnattendedInstallConfig",
  "ResolverConfig",
  "SysctlConfig",
  "KernelModuleConfig",
  "VolumeConfig",
  "UserVolumeConfig",
  "FilesystemTrimConfig",
  "SecurityProfileConfig",
  "RegistryMirrorConfig",
  "HostnameConfig",
  "KubeSpanConfig",
  "TimeSyncConfig",
  "LinkAliasConfig",
  "LinkConfig",
  "DHCPv4Config",
  "KubeClusterConfig",
  "KubeNodeConfig",
  "KubeletConfig",
  "KubeNetworkConfig",
  "KubeAPIServerCAConfig",
  "KubePrismConfig",
  "KubeTalosAPIAccessConfig",
  "KubeAggregatorCAConfig",
  "KubeAdmissionControlConfig",
  "KubeAuditPolicyConfig",
  "KubeAuthenticationConfig",
  "KubeAuthorizerConfig",
  "KubeEtcdEncryptionConfig",
  "KubeServiceAccountConfig",
  "KubeAPIServerConfig",
  "KubeControllerManagerConfig",
  "KubeSchedulerConfig",
  "KubeProxyConfig",
  "KubeFlannelCNIConfig",
  "KubeCoreDNSConfig",
  "KubeStaticPodConfig",
  "KubeExternalManifestConfig",
  "KubeInlineManifestConfig",
];

/**
 * The documents of all groups of options, one for each thing: several groups may say something of it.
 * Up to contract v1.13 they stay in the order of the groups.
 */
export function combineDocuments(
  parts: readonly ConfigDocument[],
  { kubernetesDocuments }: VersionContract,
): ConfigDocument[] {
  const byId = new Map<string, ConfigDocument>();
  for (const part of parts) {
    const id = documentId(part);
    byId.set(id, union(byId.get(id) ?? {}, part));
  }
  const documents = [...byId.values()];
  return kubernetesDocuments
    ? documents.sort((a, b) => rank(textAt(a, "kind")) - rank(textAt(b, "kind")))
    : documents;
}

/** @throws Error for a kind without a place: whoever generates it has to give it one */
function rank(kind = ""): number {
  const place = KINDS.indexOf(kind);
  if (place === -1) {
    throw new Error(`documents of the kind ${kind} have no place in a configuration`);
  }
  return place;
}
