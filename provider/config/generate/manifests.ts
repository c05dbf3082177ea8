import { contractHas } from "../releases/versionContract";
import type { AcceptedAuthoritiesOptions } from "./acceptedAuthorities";
import { acceptedBootstrapTokens } from "./acceptedBootstrapTokens";
import type { Generator } from "./generator";
import { checkInlineManifests, type InlineManifest } from "./inlineManifest";
import { extraManifestName } from "./manifestNames";
import { configDocument, mapping } from "./mapping";
import { checkManifestUrls } from "./urls";

/** The manifests that are applied when the cluster starts. */
export interface ManifestsOptions {
  /**
   * URLs of Kubernetes manifests to apply when the cluster starts, for example
   * `https://example.com/v1.0.0/manifest.yaml`. Only for control plane machines;
   * a worker's configuration omits them. Default: none.
   */
  readonly extraManifests?: readonly string[] | undefined;
  /**
   * Kubernetes manifests to apply when the cluster starts. Only for control plane machines; a
   * worker's configuration omits them. Default: none.
   */
  readonly inlineManifests?: readonly InlineManifest[] | undefined;
}

/**
 * The manifests that are applied when the cluster starts: a `KubeExternalManifestConfig` or
 * `KubeInlineManifestConfig` each, or `cluster.extraManifests` and `cluster.inlineManifests` in older
 * contracts. Only control plane machines have them, because they apply them.
 */
export const manifests: Generator<ManifestsOptions & AcceptedAuthoritiesOptions> = {
  check({ extraManifests = [], inlineManifests = [], versionContract }) {
    const inDocuments = contractHas(versionContract, "kubernetesDocuments");
    return [
      ...checkManifestUrls(["extraManifests"], extraManifests),
      ...checkInlineManifests(["inlineManifests"], inlineManifests, { inDocuments }),
    ];
  },

  generate(
    { machineType, extraManifests, inlineManifests, acceptedAuthorities },
    { kubernetesDocuments },
  ) {
    if (machineType === "worker") {
      return {};
    }
    const tokens = acceptedBootstrapTokens(acceptedAuthorities?.bootstrapToken ?? []);
    const all = tokens.length === 0 ? inlineManifests : [...(inlineManifests ?? []), ...tokens];
    if (kubernetesDocuments) {
      return {
        documents: [
          ...(extraManifests ?? []).map((url, index) =>
            configDocument("KubeExternalManifestConfig", { name: extraManifestName(index), url }),
          ),
          ...(all ?? []).map(({ name, contents: manifest }) =>
            configDocument("KubeInlineManifestConfig", { name, manifest }),
          ),
        ],
      };
    }
    const inline = all?.map(({ name, contents }) => ({ name, contents }));
    return { config: mapping({ cluster: { extraManifests, inlineManifests: inline } }) };
  },
};
