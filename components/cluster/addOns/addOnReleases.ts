/** Add-ons that this package knows releases of. */
export type AddOnName = keyof typeof RELEASES;

interface Release {
  /**
   * The oldest Kubernetes minor, of major 1, that it supports. The newest is the one before the
   * next row's.
   */
  readonly oldestMinor: number;
  readonly version: string;
}

/**
 * Releases by the Kubernetes minors that they support, newest first; as of November 2026. Sources,
 * all on github.com:
 * - cloudController: kubernetes/cloud-provider-aws has a release for each minor, by the same
 *   number. v1.36.2 and v1.37.1 are in the Go module proxy.
 * - clusterAutoscaler: kubernetes/autoscaler, cluster-autoscaler/README.md: the same minor as
 *   Kubernetes. A release for 1.37 was not known in August 2026, so 1.37 has that of 1.36.
 * - ebsCsi: kubernetes-sigs/aws-ebs-csi-driver, README.md: what Kubernetes or EKS support at its
 *   time. Its sidecars of 2026 need storage's v1 API of 1.34; AWS' builds fall back to older ones.
 *   Older minors have an older release.
 * - loadBalancerController: kubernetes-sigs/aws-load-balancer-controller,
 *   docs/deploy/installation.md: 1.22 and later.
 * - externalDns: kubernetes-sigs/external-dns, README.md: from v0.18 on every minor since 1.21.
 * - nodeTerminationHandler: aws/aws-node-termination-handler, README.md: 1.23 and later.
 * - podIdentityWebhook: aws/amazon-eks-pod-identity-webhook, go.mod and admission API v1beta1: any
 *   minor.
 * - servingCertificateApprover: alex1989hu/kubelet-serving-cert-approver speaks an API that is
 *   stable since 1.22. Its README lists every minor since then; v0.12.0 is tested with 1.36
 *   (release notes).
 * - auditLog: fluent/fluent-bit. It calls no API of Kubernetes; v5.1.1 was the newest in August 2026.
 * - metricsServer: kubernetes-sigs/metrics-server, README.md, compatibility matrix.
 */
const RELEASES = {
  cloudController: [
    { oldestMinor: 37, version: "v1.37.1" },
    { oldestMinor: 36, version: "v1.36.2" },
    { oldestMinor: 35, version: "v1.35.2" },
    { oldestMinor: 34, version: "v1.34.3" },
    { oldestMinor: 33, version: "v1.33.4" },
    { oldestMinor: 32, version: "v1.32.8" },
    { oldestMinor: 31, version: "v1.31.9" },
    { oldestMinor: 30, version: "v1.30.10" },
    { oldestMinor: 29, version: "v1.29.10" },
    { oldestMinor: 28, version: "v1.28.11" },
  ],
  clusterAutoscaler: [
    { oldestMinor: 36, version: "v1.36.1" },
    { oldestMinor: 35, version: "v1.35.2" },
    { oldestMinor: 34, version: "v1.34.5" },
    { oldestMinor: 33, version: "v1.33.6" },
    { oldestMinor: 32, version: "v1.32.7" },
    { oldestMinor: 31, version: "v1.31.5" },
    { oldestMinor: 30, version: "v1.30.7" },
    { oldestMinor: 29, version: "v1.29.5" },
    { oldestMinor: 28, version: "v1.28.7" },
  ],
  ebsCsi: [
    { oldestMinor: 31, version: "v1.64.0" },
    { oldestMinor: 28, version: "v1.40.0" },
  ],
  loadBalancerController: [{ oldestMinor: 22, version: "v3.5.0" }],
  externalDns: [{ oldestMinor: 21, version: "v0.22.0" }],
  nodeTerminationHandler: [{ oldestMinor: 23, version: "v1.25.6" }],
  podIdentityWebhook: [{ oldestMinor: 21, version: "v0.6.17" }],
  servingCertificateApprover: [{ oldestMinor: 22, version: "v0.12.0" }],
  auditLog: [{ oldestMinor: 21, version: "v5.1.1" }],
  metricsServer: [
    { oldestMinor: 31, version: "v0.8.1" },
    { oldestMinor: 27, version: "v0.7.2" },
  ],
} as const satisfies Record<string, readonly [Release, ...Release[]]>;

/**
 * Add-ons that have a release for each Kubernetes minor, which supports only that minor. Minors that
 * are newer than the newest row have its release.
 */
export const RELEASED_WITH_KUBERNETES: readonly AddOnName[] = [
  "cloudController",
  "clusterAutoscaler",
];

/** The releases of an add-on, newest first. */
export function releasesOf(addOn: AddOnName): readonly [Release, ...Release[]] {
  return RELEASES[addOn];
}

/** The release of an add-on that supports a Kubernetes version, for example `v1.35.0`. */
export function releaseFor(addOn: AddOnName, kubernetesVersion: string): string {
  const [newest, ...older] = releasesOf(addOn);
  const minor = Number(/^v?1\.(\d+)/.exec(kubernetesVersion)?.[1] ?? newest.oldestMinor);
  const fitting = [newest, ...older].find(({ oldestMinor }) => minor >= oldestMinor);
  return (fitting ?? older.at(-1) ?? newest).version;
}
