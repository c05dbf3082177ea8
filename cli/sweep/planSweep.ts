import type { Findings, Found, FoundRule } from "./found";
import { isNobodys, makerOf, type Maker } from "./makerOf";
import { CLUSTER_TAG_PREFIX, type RecordedCluster } from "./recordedClusters";

/** Something that a controller in the cluster made. */
export interface Made {
  readonly thing: Found;
  readonly maker: Maker;
  /** Whether the cluster's network can't be deleted while it is there. */
  readonly blocks: boolean;
}

/** Something that nobody removes here. */
export interface Kept {
  readonly thing: Found;
  readonly reason: string;
  readonly blocks: boolean;
}

/** What becomes of what was found of a cluster. */
export interface Sweep {
  readonly cluster: RecordedCluster;
  /** Load balancers, target groups and security groups: nothing is in them. */
  readonly made: readonly Made[];
  /** Rules in other groups that name the security groups, and go before them. */
  readonly rules: readonly FoundRule[];
  /** Volumes and snapshots. */
  readonly data: readonly Made[];
  readonly kept: readonly Kept[];
}

/**
 * Plans what is removed of what was found. Pure. What the stack has recorded is its own, whatever tags it
 * has; what belongs to another cluster, or to nobody known, stays.
 *
 * @param recorded ids of all that the stack has recorded
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
    const maker = makerOf(thing, cluster.name);
    if (maker === undefined) {
      const reason = whyUnknown(thing, cluster.name, blocks(thing));
      if (reason !== undefined) {
        kept.push({ thing, reason, blocks: blocks(thing) });
      }
    } else if (thing.isProtected) {
      const reason = "somebody has protected it from deletion in AWS";
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
      const reason = `the rule ${rule?.id ?? ""} of ${rule?.groupId ?? ""}, a group of somebody else, names it`;
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

/** Whether what somebody stored is in it. */
function isData({ kind }: Found): boolean {
  return kind === "volume" || kind === "snapshot";
}

/** Why something that looks like the cluster's isn't removed; nothing for what clearly isn't. */
function whyUnknown(thing: Found, cluster: string, isInTheWay: boolean): string | undefined {
  if (isNobodys(thing)) {
    return "the EBS CSI driver made it, and no tag says for which cluster";
  }
  const isTagged = thing.tags[CLUSTER_TAG_PREFIX + cluster] === "owned";
  if (isTagged && thing.kind !== "volume" && thing.kind !== "snapshot") {
    return "it has the cluster's tag, and no mark of a controller";
  }
  return isInTheWay ? "it is in the cluster's network, and has no mark of the cluster" : undefined;
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
