/** Add-ons whose makers publish a manifest with each release. */
export type PinnedAddOnName = keyof typeof RELEASES;

interface Release {
  /** First Kubernetes minor, of major 1, that it goes with. */
  readonly oldestMinor: number;
  readonly version: string;
}

/**
 * Releases by the Kubernetes minors they go with, newest first; as of November 2026. The approver speaks
 * an interface that is stable since Kubernetes 1.22, from which on its README lists every minor; v0.12.0
 * is tested with 1.36 (release notes). Of the metrics server, its README's compatibility matrix.
 */
const RELEASES = {
  servingCertificateApprover: [{ oldestMinor: 22, version: "v0.12.0" }],
  metricsServer: [
    { oldestMinor: 31, version: "v0.8.1" },
    { oldestMinor: 27, version: "v0.7.2" },
  ],
} as const satisfies Record<string, readonly [Release, ...Release[]]>;

/**
 * Where their makers publish them: one manifest each, at a version that stays (Talos' guide "Deploy
 * the Metrics Server" names both, there at whatever is newest).
 */
const URLS: Readonly<Record<PinnedAddOnName, (version: string) => string>> = {
  servingCertificateApprover: (version) =>
    `https://raw.githubusercontent.com/alex1989hu/kubelet-serving-cert-approver/${version}/deploy/standalone-install.yaml`,
  metricsServer: (version) =>
    `https://github.com/kubernetes-sigs/metrics-server/releases/download/${version}/components.yaml`,
};

/** Where the manifest of an add-on's release is. */
export function pinnedManifest(addOn: PinnedAddOnName, version: string): string {
  return URLS[addOn](version);
}

/** The release of an add-on that goes with a Kubernetes version, for example `v1.35.0`. */
export function releaseFor(addOn: PinnedAddOnName, kubernetesVersion: string): string {
  const [newest, ...older]: readonly [Release, ...Release[]] = RELEASES[addOn];
  const minor = Number(/^v?1\.(\d+)/.exec(kubernetesVersion)?.[1] ?? newest.oldestMinor);
  const fitting = [newest, ...older].find(({ oldestMinor }) => minor >= oldestMinor);
  return (fitting ?? older.at(-1) ?? newest).version;
}
