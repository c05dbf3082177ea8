/**
 * Keys of tags by which the cluster autoscaler finds a group, and learns what the node of a machine
 * would be like that isn't there yet. Source: cluster-autoscaler/cloudprovider/aws/README.md of
 * kubernetes/autoscaler, release 1.35.
 */
const PREFIX = "k8s.io/cluster-autoscaler";

/** What a group's machines are like. */
export interface NodeTemplate {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** `<value>:<effect>` or `<effect>` by key. */
  readonly taints?: Readonly<Record<string, string>> | undefined;
}

/** The key of the tag that tells the autoscaler a label of the group's nodes. */
export function labelTag(key: string): string {
  return `${PREFIX}/node-template/label/${key}`;
}

/** The key of the tag that tells the autoscaler a taint of the group's nodes. */
export function taintTag(key: string): string {
  return `${PREFIX}/node-template/taint/${key}`;
}

/** What the autoscaler goes by: that it may resize the group, of which cluster it is, its nodes. */
export function planAutoscalerTags(
  clusterName: string,
  { labels = {}, taints = {} }: NodeTemplate,
): Record<string, string> {
  const labelTags = Object.entries(labels).map(([key, value]) => [labelTag(key), value] as const);
  const taintTags = Object.entries(taints).map(
    ([key, taint]) => [taintTag(key), taint.includes(":") ? taint : `:${taint}`] as const,
  );
  return {
    [`${PREFIX}/enabled`]: "true",
    [`${PREFIX}/${clusterName}`]: "owned",
    ...Object.fromEntries([...labelTags, ...taintTags]),
  };
}
