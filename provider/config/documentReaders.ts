import { isDeepStrictEqual } from "node:util";
import type { ConfigProblem } from "./configError";
import { type ConfigDocument, documentId, textAt } from "./machineConfig";

/**
 * How this package takes a kind of document:
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

/**
 * Documents with the cluster's keys that this package didn't write, or that are missing.
 *
 * @param base the same documents before the patches. Documents for rotations that are the same there
 *   are this package's own
 */
export function ownedDocuments(
  documents: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
): ConfigProblem[] {
  const [own, found] = [base, documents].map((all) => all.filter(isOwned)) as [
    ConfigDocument[],
    ConfigDocument[],
  ];
  return [
    ...found.filter((each) => !own.some((other) => isDeepStrictEqual(other, each))),
    ...own.filter((each) => !found.some((other) => documentId(other) === documentId(each))),
  ].map(ownedProblem);
}

function isOwned(document: ConfigDocument): boolean {
  return documentReaders.get(textAt(document, "kind") ?? "") === "rotation";
}

function ownedProblem(document: ConfigDocument): ConfigProblem {
  const message =
    "can't be set, changed or deleted by patches: it contains the cluster's keys, which come from the secrets bundle and the rotation. Leave it out";
  return { document: documentId(document), path: "", message };
}
