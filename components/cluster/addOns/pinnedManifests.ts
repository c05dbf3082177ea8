/** Add-ons whose projects publish a manifest with each release. */
export type PinnedAddOnName = keyof typeof URLS;

/**
 * The published manifests of a release (Talos' guide "Deploy the Metrics Server" names both,
 * without a version).
 */
const URLS = {
  servingCertificateApprover: (version: string) =>
    `https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/${version}/deploy/standalone-install.yaml`,
  metricsServer: (version: string) =>
    `https://github.com/kubernetes-sigs/metrics-server/releases/download/${version}/components.yaml`,
};

/** The URL of the manifest of an add-on's release. */
export function pinnedManifest(addOn: PinnedAddOnName, version: string): string {
  return URLS[addOn](version);
}
