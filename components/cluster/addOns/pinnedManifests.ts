/** Add-ons whose makers publish a manifest with each release. */
export type PinnedAddOnName = keyof typeof URLS;

/**
 * Where their makers publish them: one manifest each, at a version that stays (Talos' guide "Deploy
 * the Metrics Server" names both, there at whatever is newest).
 */
const URLS = {
  servingCertificateApprover: (version: string) =>
    `https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/${version}/deploy/standalone-install.yaml`,
  metricsServer: (version: string) =>
    `https://github.com/kubernetes-sigs/metrics-server/releases/download/${version}/components.yaml`,
};

/** Where the manifest of an add-on's release is. */
export function pinnedManifest(addOn: PinnedAddOnName, version: string): string {
  return URLS[addOn](version);
}
