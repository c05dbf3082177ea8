import { type Properties, objects, text, texts } from "../properties";
import { type Ask, askFor, filter, tagsOf } from "../repair/searches/search";
import { BALANCER_CONTROLLER_TAG, CLUSTER_NAME_TAGS, DRIVER_TAG, LAUNCHER_TAG } from "./creatorOf";
import type { Found, FoundKind, FoundRule, Findings } from "./found";
import { CLUSTER_TAG_PREFIX, type RecordedCluster } from "./recordedClusters";

/**
 * Finds everything in AWS that controllers of a cluster may have created. It changes nothing.
 * Target groups come from the tagging API, because no other function of the provider lists them.
 * That API is minutes behind, so at worst one remains, which costs nothing. Each other kind is
 * listed by its own service.
 */
export async function findMade(ask: Ask, cluster: RecordedCluster): Promise<Findings> {
  const search = new Search(ask, cluster);
  const things = (
    await Promise.all([
      search.machines(),
      search.loadBalancers(),
      search.targetGroups(),
      search.securityGroups(),
      search.volumes(),
      search.snapshots(),
    ])
  ).flat();
  const groups = things.filter(({ kind }) => kind === "securityGroup").map(({ id }) => id);
  return { things, rules: await search.rulesFor(groups) };
}

class Search {
  private readonly place: Properties;
  private readonly tags: readonly (readonly [key: string, value: string])[];

  constructor(
    private readonly ask: Ask,
    private readonly cluster: RecordedCluster,
  ) {
    const { name, region } = cluster;
    this.place = region === "" ? {} : { region };
    this.tags = [
      [CLUSTER_TAG_PREFIX + name, "owned"],
      [BALANCER_CONTROLLER_TAG, name],
    ];
  }

  /**
   * Load balancers with the cluster's tags, and those with interfaces in its networks. Classic ones
   * have no other list, and any of them blocks the network.
   */
  async loadBalancers(): Promise<Found[]> {
    const [lists, named] = await Promise.all([
      Promise.all(
        this.tags.map(([key, value]) =>
          this.ask("aws:lb/getLbs:getLbs", { ...this.place, tags: { [key]: value } }),
        ),
      ),
      this.namedByInterfaces(),
    ]);
    const token = "aws:lb/getLoadBalancer:getLoadBalancer";
    const arns = lists.flatMap((each) => texts(each, "arns"));
    const tagged = await this.details("loadBalancer", arns, token, (arn) => ({ arn }));
    const others = [...named.later.keys()].filter(
      (name) => !tagged.some((each) => each.name === name),
    );
    const untagged = await this.details("loadBalancer", others, token, (name) => ({ name }));
    const classic = await this.details(
      "classicLoadBalancer",
      [...named.classic.keys()],
      "aws:elb/getLoadBalancer:getLoadBalancer",
      (name) => ({ name }),
    );
    return [
      ...this.inNetwork([...tagged, ...untagged]),
      ...classic.map((each) => ({ ...each, vpcId: named.classic.get(each.id) ?? "" })),
    ];
  }

  /**
   * The names of load balancers with their networks, from the descriptions of their interfaces:
   * `ELB <name>` for a classic one, `ELB app/<name>/<id>` for a later one.
   */
  private async namedByInterfaces(): Promise<{
    readonly classic: ReadonlyMap<string, string>;
    readonly later: ReadonlyMap<string, string>;
  }> {
    const ids = await this.inVpcs("aws:ec2/getNetworkInterfaces:getNetworkInterfaces", [
      filter("description", "ELB *"),
    ]);
    const interfaces = await Promise.all(
      ids.map((id) =>
        askFor(this.ask, "aws:ec2/getNetworkInterface:getNetworkInterface", { ...this.place, id }),
      ),
    );
    const classic = new Map<string, string>();
    const later = new Map<string, string>();
    for (const each of interfaces) {
      const [, kind, name] =
        /^ELB (?:(app|net|gwy)\/)?([^/]+)(?:\/[^/]+)?$/.exec(text(each ?? {}, "description")) ?? [];
      if (each !== undefined && name !== undefined) {
        (kind === undefined ? classic : later).set(name, text(each, "vpcId"));
      }
    }
    return { classic, later };
  }

  async targetGroups(): Promise<Found[]> {
    const lists = await Promise.all(
      this.tags.map(([key, value]) =>
        this.ask("aws:resourcegroupstaggingapi/getResources:getResources", {
          ...this.place,
          resourceTypeFilters: ["elasticloadbalancing:targetgroup"],
          tagFilters: [{ key, values: [value] }],
        }),
      ),
    );
    const arns = lists.flatMap((each) =>
      objects(each, "resourceTagMappingLists").map((mapping) => text(mapping, "resourceArn")),
    );
    return this.inNetwork(
      await this.details("targetGroup", arns, "aws:lb/getTargetGroup:getTargetGroup", (arn) => ({
        arn,
      })),
    );
  }

  async securityGroups(): Promise<Found[]> {
    const lists = await Promise.all(
      this.tags.map(([key, value]) =>
        this.inVpcs("aws:ec2/getSecurityGroups:getSecurityGroups", [filter(`tag:${key}`, value)]),
      ),
    );
    return this.details(
      "securityGroup",
      lists.flat(),
      "aws:ec2/getSecurityGroup:getSecurityGroup",
      (id) => ({ id }),
    );
  }

  /**
   * Volumes with the cluster's name, those attached to its machines, and unattached ones of the
   * driver, whose cluster may be unknown.
   */
  async volumes(): Promise<Found[]> {
    const token = "aws:ebs/getEbsVolumes:getEbsVolumes";
    const ofDriver = filter(`tag:${DRIVER_TAG}`, "true");
    const [named, held, free] = await Promise.all([
      this.named(token, {}),
      this.machineIds([]).then((machines) =>
        Promise.all(
          inParts(machines).map((values) =>
            this.list(token, { filters: [ofDriver, { name: "attachment.instance-id", values }] }),
          ),
        ),
      ),
      this.list(token, { filters: [ofDriver, filter("status", "available")] }),
    ]);
    const holdings = new Set(held.flat());
    const found = await this.details(
      "volume",
      [...named, ...holdings, ...free],
      "aws:ebs/getVolume:getVolume",
      (id) => ({ filters: [filter("volume-id", id)] }),
    );
    return found.map((volume) => ({ ...volume, isHeld: holdings.has(volume.id) }));
  }

  async snapshots(): Promise<Found[]> {
    const ids = await this.named("aws:ebs/getSnapshotIds:getSnapshotIds", { owners: ["self"] });
    return this.details("snapshot", ids, "aws:ebs/getSnapshot:getSnapshot", (id) => ({
      snapshotIds: [id],
    }));
  }

  /** Rules in other groups that refer to one of these, which block its deletion. */
  async rulesFor(groups: readonly string[]): Promise<FoundRule[]> {
    if (groups.length === 0) {
      return [];
    }
    const token = "aws:ec2/getSecurityGroups:getSecurityGroups";
    const sides = ["ip-permission.group-id", "egress.ip-permission.group-id"];
    const holders = await Promise.all(
      sides.map((name) => this.list(token, { filters: [{ name, values: groups }] })),
    );
    const values = [...new Set(holders.flat())];
    if (values.length === 0) {
      return [];
    }
    const ids = await this.list("aws:vpc/getSecurityGroupRules:getSecurityGroupRules", {
      filters: [{ name: "group-id", values }],
    });
    const rules = await Promise.all(
      ids.map(async (id) => {
        const live = await askFor(this.ask, "aws:vpc/getSecurityGroupRule:getSecurityGroupRule", {
          ...this.place,
          securityGroupRuleId: id,
        });
        return {
          id,
          isEgress: live?.isEgress === true,
          groupId: text(live ?? {}, "securityGroupId"),
          refersTo: text(live ?? {}, "referencedSecurityGroupId"),
        };
      }),
    );
    return rules.filter(
      ({ groupId, refersTo }) => groups.includes(refersTo) && groupId !== refersTo,
    );
  }

  /**
   * Machines that Karpenter launched. Those of the stack's groups are deleted with their groups.
   */
  async machines(): Promise<Found[]> {
    const tags = { [CLUSTER_TAG_PREFIX + this.cluster.name]: "owned", [LAUNCHER_TAG]: "" };
    const all = await Promise.all(
      this.cluster.vpcIds.map(async (vpcId) => {
        const mark = [filter("vpc-id", vpcId), filter("tag-key", LAUNCHER_TAG)];
        const ids = await this.machineIds(mark);
        return ids.map((id) => toFound("machine", id, { vpcId, tags }));
      }),
    );
    return all.flat();
  }

  /** All machines with the cluster's tag, whatever launched them. */
  private machineIds(more: readonly object[]): Promise<readonly string[]> {
    const ofCluster = filter(`tag:${CLUSTER_TAG_PREFIX}${this.cluster.name}`, "owned");
    return this.list("aws:ec2/getInstances:getInstances", {
      filters: [ofCluster, ...more],
      // Without these states, the function returns only running machines.
      instanceStateNames: ["pending", "running", "stopping", "stopped"],
    });
  }

  /** Volumes or snapshots with a tag that contains the cluster's name. */
  private async named(token: string, more: Properties): Promise<string[]> {
    const { name } = this.cluster;
    const filters = [
      filter(`tag:${CLUSTER_TAG_PREFIX}${name}`, "owned"),
      ...CLUSTER_NAME_TAGS.map((key) => filter(`tag:${key}`, name)),
    ];
    const lists = await Promise.all(
      filters.map((each) => this.list(token, { ...more, filters: [each] })),
    );
    return lists.flat();
  }

  private async inVpcs(token: string, filters: readonly object[]): Promise<readonly string[]> {
    const values = this.cluster.vpcIds;
    return values.length === 0
      ? []
      : this.list(token, { filters: [{ name: "vpc-id", values }, ...filters] });
  }

  private async list(token: string, args: Properties): Promise<readonly string[]> {
    return texts((await askFor(this.ask, token, { ...this.place, ...args })) ?? {}, "ids");
  }

  /** The details of each one; deleted ones are left out. */
  private async details(
    kind: FoundKind,
    ids: readonly string[],
    token: string,
    argsFor: (id: string) => Properties,
  ): Promise<Found[]> {
    const all = await Promise.all(
      [...new Set(ids)].map(async (id) => {
        const live = await askFor(this.ask, token, { ...this.place, ...argsFor(id) });
        return live === undefined ? [] : [toFound(kind, id, live)];
      }),
    );
    return all.flat();
  }

  private inNetwork(things: readonly Found[]): Found[] {
    return things.filter(({ vpcId }) => this.cluster.vpcIds.includes(vpcId));
  }
}

/** EC2's limit of values in a filter. */
const MOST_VALUES = 200;

function inParts(values: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(values.length / MOST_VALUES);
  return Array.from({ length: count }, (_, part) =>
    values.slice(part * MOST_VALUES, (part + 1) * MOST_VALUES),
  );
}

function toFound(kind: FoundKind, asked: string, live: Properties): Found {
  const id = kind === "loadBalancer" ? text(live, "arn") || asked : asked;
  const sizes = [live.size, live.volumeSize].filter((size) => typeof size === "number");
  return {
    kind,
    id,
    name: text(live, "name") || id,
    tags: tagsOf(live),
    vpcId: text(live, "vpcId"),
    description: text(live, "description"),
    type: text(live, "volumeType") || text(live, "loadBalancerType"),
    gib: sizes[0] ?? 0,
    isProtected: live.enableDeletionProtection === true,
    isHeld: false,
  };
}
