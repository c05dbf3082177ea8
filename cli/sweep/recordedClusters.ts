import type { Deployment } from "@pulumi/pulumi/automation";
import { type Properties, isProperties, mappingAt, objects, text } from "../properties";
import { recordedStack, type WrittenResource } from "../repair/pendingOperations";

export interface RecordedCluster {
  readonly name: string;
  /** The AWS provider that created it, as the state refers to it: `<URN>::<id>`. */
  readonly provider: string;
  /** Empty for the provider's own region. */
  readonly region: string;
  /** The networks of the cluster. */
  readonly vpcIds: readonly string[];
  /** The networks that are deleted with the stack. */
  readonly ownVpcIds: readonly string[];
}

/** The prefix of a cluster tag's key; the rest is the cluster's name. */
export const CLUSTER_TAG_PREFIX = "kubernetes.io/cluster/";

const VPC = "aws:ec2/vpc:Vpc";

/**
 * The clusters of a stack, from the tag `kubernetes.io/cluster/<name>` with the value `owned` on
 * recorded resources. Pure. A cluster whose tag is `shared` belongs to another stack.
 */
export function recordedClusters(exported: Deployment): readonly RecordedCluster[] {
  const resources = recordedStack(exported).resources.filter(isLive);
  const found = new Map<string, RecordedCluster>();
  for (const resource of resources) {
    const { provider = "" } = resource;
    const region = text(resource.outputs, "region");
    for (const name of clusterNames(resource)) {
      const beside = resources.filter(
        (each) => each.provider === provider && text(each.outputs, "region") === region,
      );
      const ownVpcIds = beside.filter(({ type }) => type === VPC).map(({ id }) => id);
      const vpcIds = [...ownVpcIds, ...beside.map(({ outputs }) => text(outputs, "vpcId"))];
      found.set(`${provider} ${region} ${name}`, {
        name,
        provider,
        region,
        vpcIds: [...new Set(vpcIds)].filter((id) => id !== ""),
        ownVpcIds,
      });
    }
  }
  return [...found.values()];
}

/** Ids of all recorded resources, including those that wait for deletion. */
export function recordedIds(exported: Deployment): ReadonlySet<string> {
  const ids = recordedStack(exported).resources.flatMap(({ id, outputs = {} }) => [
    id ?? "",
    text(outputs, "arn"),
  ]);
  return new Set(ids.filter((id) => id !== ""));
}

interface LiveResource extends WrittenResource {
  readonly id: string;
  readonly outputs: Properties;
}

function isLive(resource: WrittenResource): resource is LiveResource {
  return (
    isProperties(resource.outputs) && resource.type.startsWith("aws:") && resource.external !== true
  );
}

function clusterNames({ inputs = {}, outputs }: LiveResource): readonly string[] {
  const maps = [mappingAt(inputs, "tags"), mappingAt(outputs, "tagsAll")];
  // An auto scaling group has its tags as a list.
  const listed = objects(inputs, "tags").map((tag) => [text(tag, "key"), tag.value] as const);
  const all = [...maps.flatMap((tags) => Object.entries(tags)), ...listed];
  const names = all
    .filter(([key, value]) => key.startsWith(CLUSTER_TAG_PREFIX) && value === "owned")
    .map(([key]) => key.slice(CLUSTER_TAG_PREFIX.length));
  return [...new Set(names)];
}
