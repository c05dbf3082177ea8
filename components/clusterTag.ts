/**
 * The key of the tag for a cluster's resources, with the value `owned`. The AWS cloud controller
 * and the load balancer controller find their network and machines by it.
 */
export function clusterTag(clusterName: string): string {
  return `kubernetes.io/cluster/${clusterName}`;
}
