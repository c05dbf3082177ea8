/** What the objects of a cluster's add-ons are made for. */
export interface AddOnScope {
  readonly clusterName: string;
  /** The region that the cluster is in. */
  readonly region: string;
  /** For example `v1.35.0`. */
  readonly kubernetesVersion: string;
  /** How many control plane machines there are. */
  readonly controlPlanes: number;
  /** The cluster's name in DNS, which no other cluster has. */
  readonly recordName: string;
}

/** The namespace of what belongs to the cluster itself, where Pod Security holds nothing back. */
export const SYSTEM_NAMESPACE = "kube-system";
