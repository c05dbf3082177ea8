/**
 * The key of the tag that says which cluster a resource belongs to, with the value `owned`. The
 * AWS cloud controller and the load balancer controller find their network and machines by it.
 */
export function clusterTag(clusterName: string): string {
  return `kubernetes.io/cluster/${clusterName}`;
}
