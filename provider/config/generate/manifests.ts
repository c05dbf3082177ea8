import type { AcceptedAuthoritiesOptions } from "./acceptedAuthorities";
import { acceptedBootstrapTokens } from "./acceptedBootstrapTokens";
import type { Generator } from "./generator";
import { checkInlineManifests, type InlineManifest } from "./inlineManifest";
import { mapping } from "./mapping";
import { checkManifestUrls } from "./urls";

/** The manifests that are applied when the cluster starts. */
export interface ManifestsOptions {
  /**
   * URLs of Kubernetes manifests to apply when the cluster starts. Only for control plane machines;
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
 * The manifests that are applied when the cluster starts: `cluster.extraManifests` and
 * `cluster.inlineManifests`. Only control plane machines have them, because they apply them.
 */
export const manifests: Generator<ManifestsOptions & AcceptedAuthoritiesOptions> = {
  check({ extraManifests = [], inlineManifests = [] }) {
    return [
      ...checkManifestUrls(["extraManifests"], extraManifests),
      ...checkInlineManifests(["inlineManifests"], inlineManifests),
    ];
  },

  generate({ machineType, extraManifests, inlineManifests, acceptedAuthorities }) {
    if (machineType === "worker") {
      return {};
    }
    const tokens = acceptedBootstrapTokens(acceptedAuthorities?.bootstrapToken ?? []);
    const all = tokens.length === 0 ? inlineManifests : [...(inlineManifests ?? []), ...tokens];
    const inline = all?.map(({ name, contents }) => ({ name, contents }));
    return { config: mapping({ cluster: { extraManifests, inlineManifests: inline } }) };
  },
};
