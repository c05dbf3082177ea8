import { hasUnknownCluster, creatorOf, type Creator } from "./creatorOf";
import type { Findings, Found, FoundRule } from "./found";
import { CLUSTER_TAG_PREFIX, type RecordedCluster } from "./recordedClusters";

/** A resource that a controller in the cluster created. */
export interface Made {
  readonly thing: Found;
  readonly maker: Creator;
  /** Whether it blocks the deletion of the cluster's network. */
  readonly blocks: boolean;
}

export interface Kept {
  readonly thing: Found;
  readonly reason: string;
  readonly blocks: boolean;
}

export interface Sweep {
  readonly cluster: RecordedCluster;
  /** Load balancers, target groups and security groups, which contain no data. */
  readonly made: readonly Made[];
  /** Rules in other groups that refer to the security groups. They are removed first. */
  readonly rules: readonly FoundRule[];
  /** Volumes and snapshots. */
  readonly data: readonly Made[];
  readonly kept: readonly Kept[];
}

/**
 * Plans which found resources are removed. Pure. Resources in the stack's state are its own,
 * whatever their tags are. Resources of another cluster or an unknown owner stay.
 *
 * @param recorded ids of all resources in the stack's state
 */
export function planSweep(
  cluster: RecordedCluster,
  { things, rules }: Findings,
  recorded: ReadonlySet<string>,
): Sweep {
  const others = things.filter(({ id }) => !recorded.has(id));
  const blocks = ({ kind, vpcId }: Found) =>
    kind !== "targetGroup" && cluster.ownVpcIds.includes(vpcId);
  const made: Made[] = [];
  const kept: Kept[] = [];
  for (const thing of others) {
    const maker = creatorOf(thing, cluster.name);
    if (maker === undefined) {
      const reason = whyUnknown(thing, cluster.name, blocks(thing));
      if (reason !== undefined) {
        kept.push({ thing, reason, blocks: blocks(thing) });
      }
    } else if (thing.isProtected) {
      const reason = "it is protected from deletion in AWS";
      kept.push({ thing, reason, blocks: blocks(thing) });
    } else {
      made.push({ thing, maker, blocks: blocks(thing) });
    }
  }
  const isOwn = (group: string) =>
    recorded.has(group) || made.some(({ thing }) => thing.id === group);
  const foreign = rules.filter(({ groupId }) => !isOwn(groupId));
  const isFree = ({ thing }: Made) => !foreign.some(({ refersTo }) => refersTo === thing.id);
  const named = made
    .filter((each) => !isFree(each))
    .map(({ thing, blocks: isInTheWay }) => {
      const rule = foreign.find(({ refersTo }) => refersTo === thing.id);
      const reason = `the rule ${rule?.id ?? ""} of ${rule?.groupId ?? ""}, another owner's group, refers to it`;
      return { thing, reason, blocks: isInTheWay };
    });
  const goes = made.filter(isFree).sort(inOrder);
  return {
    cluster,
    made: goes.filter(({ thing }) => !isData(thing)),
    rules: rules.filter(({ refersTo }) => goes.some(({ thing }) => thing.id === refersTo)),
    data: goes.filter(({ thing }) => isData(thing)),
    kept: [...kept, ...named],
  };
}

function isData({ kind }: Found): boolean {
  return kind === "volume" || kind === "snapshot";
}

/**
 * Why a resource that may be the cluster's isn't removed; undefined if it clearly isn't the
 * cluster's.
 */
function whyUnknown(thing: Found, cluster: string, isInTheWay: boolean): string | undefined {
  if (hasUnknownCluster(thing)) {
    return "the EBS CSI driver created it, and no tag names its cluster";
  }
  const isTagged = thing.tags[CLUSTER_TAG_PREFIX + cluster] === "owned";
  if (isTagged && thing.kind !== "volume" && thing.kind !== "snapshot") {
    return "it has the cluster's tag, but no controller's mark";
  }
  return isInTheWay ? "it is in the cluster's network, but has no mark of the cluster" : undefined;
}

const ORDER: readonly Found["kind"][] = [
  "machine",
  "classicLoadBalancer",
  "loadBalancer",
  "targetGroup",
  "securityGroup",
  "volume",
  "snapshot",
];

function inOrder({ thing: one }: Made, { thing: other }: Made): number {
  return ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) || one.name.localeCompare(other.name);
}
