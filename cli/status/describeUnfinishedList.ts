/** The lists of `TalosCluster`, whose next update applies or deletes what is left. */
const OF_CLUSTER = ["cluster", "karpenter"];

/**
 * Describes a list of `KubernetesObjects` whose last run has not come to its end.
 *
 * @param list its inventory
 */
export function describeUnfinishedList(list: string): string {
  const what = `objects of the list "${list}" may be half applied: a run is in progress, has failed, or was killed. "kubectl -n kube-system get configmap pulumi-talos-aws-objects-${list} -o yaml" names them`;
  return OF_CLUSTER.includes(list)
    ? `${what}. The next "pulumi up" applies them, or deletes them if the program no longer has them`
    : `${what}. The next "pulumi up" applies them. If no program has the list any more, declare a KubernetesObjects with this inventory and no manifests for one "pulumi up", which deletes them`;
}
