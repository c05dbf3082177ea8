import { isDeepStrictEqual } from "node:util";
import type { ConfigProblem } from "./configError";
import { type ConfigDocument, documentId, textAt } from "./machineConfig";

/**
 * How this package takes a kind of document:
 * - `harmless`: nothing in it depends on what such a document says, so patches may contain it;
 * - `rotation`: it says where the cluster's keys are. Only this package may write it;
 * - otherwise this package reads the setting at the former places only, and would be wrong about a
 *   machine that has the document.
 */
export type DocumentReader =
  | "harmless"
  | "rotation"
  | {
      /** Where to set it: `machine.kubelet`. */
      readonly instead: string;
      /** What would be wrong in silence: "upgrades …". */
      readonly reads: string;
    };

const upgrades = (instead: string): DocumentReader => ({
  instead,
  reads: "the upgrades of Kubernetes, which find and change the image there",
});

const manifests = (instead: string): DocumentReader => ({
  instead,
  reads: "KubernetesManifests, which applies and deletes the objects that come from there",
});

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
    [
      "DiscoveryIdentityConfig",
      {
        instead: "cluster.id and cluster.secret, which come from the secrets bundle",
        reads: "the fingerprints of secrets, which are keyed with it",
      },
    ],
    [
      "DiscoveryServiceConfig",
      {
        instead: "the options discovery and discoveryEndpoint, or cluster.discovery",
        reads: "the check that isolated machines don't need an outside service",
      },
    ],
    ["EtcFileConfig", "harmless"],
    ["FilesystemScrubConfig", "harmless"],
    ["FilesystemTrimConfig", "harmless"],
    ["HTTPProbeConfig", "harmless"],
    ["ImageCacheConfig", "harmless"],
    ["KernelModuleConfig", "harmless"],
    ["KubeAPIServerCAConfig", "rotation"],
    ["KubeAPIServerConfig", upgrades("cluster.apiServer")],
    ["KubeAdmissionControlConfig", "harmless"],
    ["KubeAggregatorCAConfig", "rotation"],
    ["KubeAuditPolicyConfig", "harmless"],
    ["KubeAuthenticationConfig", "harmless"],
    ["KubeAuthorizerConfig", "harmless"],
    [
      "KubeClusterConfig",
      {
        instead:
          "the options clusterName and endpoint, or cluster.clusterName and cluster.controlPlane.endpoint",
        reads: "KubernetesManifests, whose objects contain the endpoint",
      },
    ],
    ["KubeControllerManagerConfig", upgrades("cluster.controllerManager")],
    ["KubeCoreDNSConfig", manifests("cluster.coreDNS")],
    [
      "KubeCredentialProviderConfig",
      {
        instead: "machine.kubelet.credentialProviderConfig",
        reads: "the upgrades of Kubernetes: Talos takes it only without machine.kubelet",
      },
    ],
    ["KubeEtcdEncryptionConfig", "rotation"],
    ["KubeExternalManifestConfig", manifests("the option extraManifests")],
    ["KubeFlannelCNIConfig", manifests("cluster.network.cni")],
    ["KubeInlineManifestConfig", manifests("the option inlineManifests")],
    [
      "KubeNetworkConfig",
      {
        instead: "the options podCidrs, serviceCidrs and dnsDomain, or cluster.network",
        reads: "KubernetesManifests, whose objects contain these networks",
      },
    ],
    [
      "KubeNodeConfig",
      {
        instead:
          "the options nodeLabels, nodeAnnotations and nodeTaints, or machine.kubelet.nodeIP and cluster.allowSchedulingOnControlPlanes",
        reads: "the warning about taints that a worker can't change itself",
      },
    ],
    [
      "KubePrismConfig",
      {
        instead: "machine.features.kubePrism",
        reads: "KubernetesManifests, whose objects contain its address",
      },
    ],
    ["KubeProxyConfig", upgrades("cluster.proxy")],
    ["KubeSchedulerConfig", upgrades("cluster.scheduler")],
    ["KubeServiceAccountConfig", "rotation"],
    ["KubeStaticPodConfig", "harmless"],
    [
      "KubeTalosAPIAccessConfig",
      {
        instead: "machine.features.kubernetesTalosAPIAccess",
        reads: "KubernetesManifests, which applies the definition that it adds",
      },
    ],
    ["KubeletConfig", upgrades("machine.kubelet")],
    ["LVMLogicalVolumeConfig", "harmless"],
    ["LVMVolumeGroupConfig", "harmless"],
    ["RAIDArrayConfig", "harmless"],
    ["SecurityProfileConfig", "harmless"],
    ["SysctlConfig", "harmless"],
    ["SysfsConfig", "harmless"],
    ["UdevRulesConfig", "harmless"],
    [
      "UnattendedInstallConfig",
      {
        instead: "the option talosVersion, or machine.install",
        reads: "the upgrades of Talos, which read the release there",
      },
    ],
    ["VethConfig", "harmless"],
  ],
);

/**
 * The documents of a configuration that this package can't follow.
 *
 * @param base the same documents before the patches. Documents for rotations that are the same there
 *   are this package's own
 */
export function unreadDocuments(
  documents: readonly ConfigDocument[],
  base: readonly ConfigDocument[],
): ConfigProblem[] {
  return [
    ...documents.flatMap((document) => {
      const reader = readerOf(document);
      if (reader === "rotation") {
        return base.some((own) => isDeepStrictEqual(own, document)) ? [] : ownedProblem(document);
      }
      return typeof reader === "object" ? unreadProblem(document, reader) : [];
    }),
    ...base
      .filter((own) => readerOf(own) === "rotation")
      .filter((own) => !documents.some((each) => documentId(each) === documentId(own)))
      .flatMap(ownedProblem),
  ];
}

function readerOf(document: ConfigDocument): DocumentReader | undefined {
  return documentReaders.get(textAt(document, "kind") ?? "");
}

function unreadProblem(
  document: ConfigDocument,
  { instead, reads }: Exclude<DocumentReader, string>,
): ConfigProblem[] {
  const message = `can't be used with this release of pulumi-talos-aws, which doesn't read it: it would mislead ${reads}. Use ${instead} instead`;
  return [{ document: documentId(document), path: "", message }];
}

function ownedProblem(document: ConfigDocument): ConfigProblem[] {
  const message =
    "can't be set, changed or deleted by patches: it contains the cluster's keys, which come from the secrets bundle and the rotation. Leave it out";
  return [{ document: documentId(document), path: "", message }];
}
