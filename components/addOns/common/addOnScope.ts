/** The cluster that add-on objects are written for. */
export interface AddOnScope {
  readonly clusterName: string;
  readonly region: string;
  /** For example `v1.35.0`. */
  readonly kubernetesVersion: string;
  readonly controlPlanes: number;
  /** The cluster's name in DNS, which is unique. */
  readonly recordName: string;
  /** Its network has no way to the internet. Default: false. */
  readonly isIsolated?: boolean;
  /** Karpenter is there, which drains its machines itself. Default: false. */
  readonly runsKarpenter?: boolean;
}

/** The namespace of system components, which Pod Security does not restrict. */
export const SYSTEM_NAMESPACE = "kube-system";
