import type { Deployment } from "@pulumi/pulumi/automation";
import { recordedStack, type WrittenResource } from "../repair/pendingOperations";
import { objects, text } from "../repair/searches/search";
import type { Properties } from "../stackResource";

/** A cluster that a stack's state tells of, and where it lies. */
export interface RecordedCluster {
  readonly name: string;
  /** The AWS provider that made it, as the state refers to it: `<URN>::<id>`. */
  readonly provider: string;
  /** Empty: the provider's own. */
  readonly region: string;
  /** Networks that it is in. */
  readonly vpcIds: readonly string[];
  /** Those of them that go with the stack. */
  readonly ownVpcIds: readonly string[];
}

/** What the key of a cluster's tag begins with; the rest is its name. */
export const CLUSTER_TAG_PREFIX = "kubernetes.io/cluster/";

const VPC = "aws:ec2/vpc:Vpc";

/**
 * The clusters of a stack, by the tag `kubernetes.io/cluster/<name>` with the value `owned` on what is
 * recorded. Pure. One that is `shared` belongs to another stack.
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

/** Ids of all that is recorded, also what waits to be deleted. */
export function recordedIds(exported: Deployment): ReadonlySet<string> {
  const ids = recordedStack(exported).resources.flatMap(({ id, outputs = {} }) => [
    id ?? "",
    text(outputs as Properties, "arn"),
  ]);
  return new Set(ids.filter((id) => id !== ""));
}

interface LiveResource extends WrittenResource {
  readonly id: string;
  readonly outputs: Properties;
}

function isLive(resource: WrittenResource): resource is LiveResource {
  return (
    typeof resource.outputs === "object" &&
    resource.outputs !== null &&
    resource.type.startsWith("aws:") &&
    resource.external !== true
  );
}

function clusterNames({ inputs = {}, outputs }: LiveResource): readonly string[] {
  const maps = [inputs.tags, outputs.tagsAll].filter(
    (tags): tags is Properties => typeof tags === "object" && tags !== null && !Array.isArray(tags),
  );
  // An auto scaling group has a list of them.
  const listed = objects(inputs, "tags").map((tag) => [text(tag, "key"), tag.value] as const);
  const all = [...maps.flatMap((tags) => Object.entries(tags)), ...listed];
  const names = all
    .filter(([key, value]) => key.startsWith(CLUSTER_TAG_PREFIX) && value === "owned")
    .map(([key]) => key.slice(CLUSTER_TAG_PREFIX.length));
  return [...new Set(names)];
}
