/**
 * Tag keys by which the cluster autoscaler finds a group and knows what its future nodes look like.
 * Source: cluster-autoscaler/cloudprovider/aws/README.md of kubernetes/autoscaler, release 1.35.
 */
const PREFIX = "k8s.io/cluster-autoscaler";

/** The labels and taints of a group's nodes. */
export interface NodeTemplate {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** `<value>:<effect>` or `<effect>` by key. */
  readonly taints?: Readonly<Record<string, string>> | undefined;
  /** The GPUs that each offers. Default: the autoscaler knows by the type of the machines. */
  readonly gpuCount?: number | undefined;
}

/** The tag key for a label of the group's nodes. */
export function labelTag(key: string): string {
  return `${PREFIX}/node-template/label/${key}`;
}

/** The tag key for a taint of the group's nodes. */
export function taintTag(key: string): string {
  return `${PREFIX}/node-template/taint/${key}`;
}

/** The tags for the autoscaler: that it may resize the group, its cluster, and its nodes. */
export function planAutoscalerTags(
  clusterName: string,
  { labels = {}, taints = {}, gpuCount }: NodeTemplate,
): Record<string, string> {
  const labelTags = Object.entries(labels).map(([key, value]) => [labelTag(key), value] as const);
  const taintTags = Object.entries(taints).map(
    ([key, taint]) => [taintTag(key), taint.includes(":") ? taint : `:${taint}`] as const,
  );
  return {
    [`${PREFIX}/enabled`]: "true",
    [`${PREFIX}/${clusterName}`]: "owned",
    ...Object.fromEntries([...labelTags, ...taintTags]),
    ...(gpuCount !== undefined && {
      [`${PREFIX}/node-template/resources/nvidia.com/gpu`]: `${gpuCount}`,
    }),
  };
}
