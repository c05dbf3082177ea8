/**
 * The name of the document for one URL of a custom pod network. The first one has the name that Talos
 * gives it (config/generate/kubernetes.go, v1.14.1).
 */
export function customNetworkName(index: number): string {
  return index === 0 ? "custom-cni" : `custom-cni-${index + 1}`;
}

/**
 * The name of the document for one URL of `extraManifests`. It has nothing of the URL, which may contain
 * a token.
 */
export function extraManifestName(index: number): string {
  return `extra-manifest-${index + 1}`;
}

/** Names that Talos takes for both kinds of manifests, so that no inline one may have them. */
export function isReservedManifestName(name: string): boolean {
  return /^(?:custom-cni(?:-\d+)?|extra-manifest-\d+|accepted-bootstrap-token-\d+)$/.test(name);
}
