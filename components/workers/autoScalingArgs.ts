/** Whether a pool has a group for each of its zones, or one over all of them. */
export type GroupStrategy = (typeof GROUP_STRATEGIES)[number];

/** Every way there is. */
export const GROUP_STRATEGIES = ["perZone", "single"] as const;

/** By what spot machines are chosen among instance types. */
export type SpotAllocation = (typeof SPOT_ALLOCATIONS)[number];

/** Every way that AWS has for several types. Source: Amazon EC2 Auto Scaling user guide. */
export const SPOT_ALLOCATIONS = [
  "price-capacity-optimized",
  "capacity-optimized",
  "capacity-optimized-prioritized",
  "lowest-price",
] as const;

/** What becomes of machines that run when machines are to be made otherwise. */
export type InstanceRefresh = (typeof INSTANCE_REFRESHES)[number];

/** Every way there is. */
export const INSTANCE_REFRESHES = ["rolling", "none"] as const;

/** How AWS makes and ends the machines of a pool. Sizes are of the whole pool. */
export interface AutoScalingArgs {
  /** How few machines there ever are, 0 or more. */
  readonly minSize: number;
  /** How many machines there ever are: what the pool can cost. */
  readonly maxSize: number;
  /**
   * How many there are: with `clusterAutoscaler` only to begin with, later changes of it do nothing.
   * Default: `minSize`.
   */
  readonly desiredSize?: number;
  /**
   * `perZone`: a group for each zone, among which the sizes are divided, so that the autoscaler can
   * make a machine in the zone where a volume is. `single`: one group, whose machines AWS spreads.
   * A change replaces all machines. Default: `perZone`.
   */
  readonly groups?: GroupStrategy;
  /**
   * The cluster autoscaler finds the groups by their tags, and decides the number of machines. It
   * isn't part of the pool; `NodePermissions.clusterAutoscaler` lets it. It knows nodes by their
   * `spec.providerID`, which the AWS cloud controller sets: without, it ends every machine after 15
   * minutes, as one that never joined (kubernetes/autoscaler issue 6203). Default: false; in a
   * `TalosCluster` true where there is a cloud controller, and refused where there is none.
   */
  readonly clusterAutoscaler?: boolean;
  /**
   * Types that do as well as `instanceType`, of the same architecture, processors and memory: the
   * autoscaler takes all for the first. Default: none.
   */
  readonly moreInstanceTypes?: readonly string[];
  /**
   * Percentage of the machines, beyond `onDemandBaseSize`, at full price; the others are spot
   * machines, up to 90 % cheaper, which AWS takes away with two minutes' notice. Default: 100.
   */
  readonly onDemandPercentage?: number;
  /** How many machines at full price come first. Default: 0. */
  readonly onDemandBaseSize?: number;
  /** Default: `price-capacity-optimized`, which AWS recommends. */
  readonly spotAllocation?: SpotAllocation;
  /**
   * AWS replaces a spot machine that is likely to be taken away before it is; pods aren't moved
   * before unless something in the cluster does it. Default: false.
   */
  readonly capacityRebalance?: boolean;
  /**
   * What happens when the image, the configuration or the make of machines changes, not their tags.
   * `rolling`: AWS launches successors first, then ends those before them, without moving pods; one
   * zone's group after the other, once the nodes of the one before are Ready. AWS itself looks at EC2's
   * health alone: within a group it goes on with machines that never join the cluster. `up` takes as
   * long as it takes. `none`: it is for machines to come. Default: `rolling`.
   */
  readonly refresh?: InstanceRefresh;
  /**
   * Percentage of a group's machines that stay during a rolling refresh. Below 100 machines end before
   * their successors are there, of a group of one the only one. Default: 100.
   */
  readonly minHealthyPercentage?: number;
  /**
   * Percentage of a group's machines that there may be during a rolling refresh, 100 to 200: what is
   * above 100 is paid for meanwhile, and is replaced at once. AWS chooses which machine ends first, so a
   * group of several is drained for certain with 200 alone. Default: 110, one machine at least.
   */
  readonly maxHealthyPercentage?: number;
  /** How long a new machine counts as not ready during a rolling refresh. Default: 120. */
  readonly warmupSeconds?: number;
  /**
   * How long `up` waits for one group to replace its machines, 60 to 86400. When it gives up, AWS goes
   * on, and the groups after it stay as they are until the next `up`. Default: 3600.
   */
  readonly refreshTimeoutSeconds?: number;
  /** How long AWS doesn't judge a new machine. Default: 300. */
  readonly healthCheckGraceSeconds?: number;
  /** After how many days AWS replaces a machine, 1 to 365. Default: never. */
  readonly maxInstanceLifetimeDays?: number;
  /**
   * AWS ends no machine because there are too many: only the autoscaler does, by name. A refresh
   * waits for those machines. Default: false.
   */
  readonly protectFromScaleIn?: boolean;
}
