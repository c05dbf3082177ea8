/** One auto scaling group per zone, or one over all zones. */
export type GroupStrategy = (typeof GROUP_STRATEGIES)[number];

/** All strategies. */
export const GROUP_STRATEGIES = ["perZone", "single"] as const;

/** How AWS chooses spot machines among instance types. */
export type SpotAllocation = (typeof SPOT_ALLOCATIONS)[number];

/** All strategies that AWS has for several types. Source: Amazon EC2 Auto Scaling user guide. */
export const SPOT_ALLOCATIONS = [
  "price-capacity-optimized",
  "capacity-optimized",
  "capacity-optimized-prioritized",
  "lowest-price",
] as const;

/** How running machines are replaced when their definition changes. */
export type InstanceRefresh = (typeof INSTANCE_REFRESHES)[number];

/** All values. */
export const INSTANCE_REFRESHES = ["rolling", "none"] as const;

/** Arguments of an auto scaling pool. Sizes are of the whole pool. */
export interface AutoScalingArgs {
  /** The smallest number of machines, 0 or more. */
  readonly minSize: number;
  /** The largest number of machines. It limits the cost of the pool. */
  readonly maxSize: number;
  /**
   * The number of machines. With `clusterAutoscaler` only at creation; later changes have no
   * effect. Default: `minSize`.
   */
  readonly desiredSize?: number;
  /**
   * - `perZone`: one group per zone. The sizes are divided among them, so the autoscaler can create
   *   a machine in the zone of a volume.
   * - `single`: one group. AWS spreads its machines over the zones.
   *
   * A change replaces all machines. Default: `perZone`.
   */
  readonly groups?: GroupStrategy;
  /**
   * The cluster autoscaler finds the groups by their tags and sets the number of machines. You
   * install it, and `NodePermissions.clusterAutoscaler` permits it. It identifies nodes by
   * `spec.providerID`, which the AWS cloud controller sets. Without that, it ends every machine
   * after 15 minutes, because it seems never to have joined (kubernetes/autoscaler issue 6203).
   * Default: false; in a `TalosCluster` true with a cloud controller, and refused without.
   */
  readonly clusterAutoscaler?: boolean;
  /**
   * Equivalent instance types: the same architecture, processors and memory as `instanceType`,
   * because the autoscaler expects that of all. Default: none.
   */
  readonly moreInstanceTypes?: readonly string[];
  /**
   * What machines must have, instead of named types: AWS chooses the type of each machine. `instanceType`
   * of the pool then only sets the architecture. Excludes `moreInstanceTypes` and
   * `clusterAutoscaler`. Default: none.
   */
  readonly instanceRequirements?: InstanceRequirementsArgs;
  /**
   * How long AWS keeps a machine that it is about to end, so that something in the cluster can drain it,
   * such as the add-on `nodeTerminationHandler`. Seconds, 30 to 7200. AWS can't be told that the drain
   * is over: each machine is paid for that long, and a rolling refresh, the removal of the pool and
   * `pulumi destroy` take that much longer. AWS takes spot machines away after two minutes all the same.
   * Default: none; in a `TalosCluster` 180 with that add-on.
   */
  readonly drainSeconds?: number;
  /**
   * Percentage of the machines beyond `onDemandBaseSize` at full price. The others are spot
   * machines, up to 90 % cheaper, which AWS may take away with two minutes' notice. Default: 100.
   */
  readonly onDemandPercentage?: number;
  /** Number of machines that are always at full price. Default: 0. */
  readonly onDemandBaseSize?: number;
  /** How AWS chooses spot machines. Default: `price-capacity-optimized`, which AWS recommends. */
  readonly spotAllocation?: SpotAllocation;
  /**
   * AWS replaces a spot machine that is at risk before it takes it away. Pods move only if
   * something in the cluster moves them. Default: false.
   */
  readonly capacityRebalance?: boolean;
  /**
   * What happens when the image, the configuration or the launch settings change (not the tags).
   * - `rolling`: AWS launches new machines first, then ends the old ones. One zone's group changes
   *   at a time, when the nodes of the one before are Ready. AWS checks only the EC2 health: in a
   *   group it continues even if machines never join the cluster. `up` waits for the end.
   * - `none`: only new machines change.
   *
   * Default: `rolling`.
   */
  readonly refresh?: InstanceRefresh;
  /**
   * Percentage of a group's machines that must stay during a rolling refresh. Below 100, machines
   * end before their successors exist; in a group of one, the only machine. Default: 100.
   */
  readonly minHealthyPercentage?: number;
  /**
   * Percentage of a group's machines that may exist during a rolling refresh, 100 to 200. Machines
   * above 100 are paid for meanwhile, and are replaced at once. AWS chooses which machine ends first,
   * so only 200 drains every machine of a group of several. Default: 110, at least one machine more.
   */
  readonly maxHealthyPercentage?: number;
  /** How long a new machine counts as not ready during a rolling refresh. Seconds. Default: 120. */
  readonly warmupSeconds?: number;
  /**
   * How long `up` waits for one group to replace its machines, 60 to 86400 seconds. If it gives up,
   * AWS continues, and the groups after it stay as they are until the next `up`. Default: 3600.
   */
  readonly refreshTimeoutSeconds?: number;
  /** How long AWS ignores the health of a new machine. Seconds. Default: 300. */
  readonly healthCheckGraceSeconds?: number;
  /**
   * A group also replaces a machine whose EBS volumes fail EC2's check, after `healthCheckGraceSeconds`. It always
   * replaces one that isn't running, or that fails the check of itself or of its host. It knows nothing of nodes:
   * `talos-aws repair --machines` does. A change replaces no machine. Source: EC2 Auto Scaling API,
   * `HealthCheckType`. Default: false.
   */
  readonly replaceOnVolumeFault?: boolean;
  /**
   * The number of GPUs that each machine offers to pods, which the cluster autoscaler is told for groups without
   * machines: more than it has with time-slicing, or fewer. With too many, the autoscaler adds machines in vain, which you
   * pay for. So the preview refuses more than each type has with this package's plugin. Default: the type's own, which it asks EC2 for.
   */
  readonly gpuCount?: number;
  /** Age in days at which AWS replaces a machine, 1 to 365. Default: never. */
  readonly maxInstanceLifetimeDays?: number;
  /**
   * AWS ends no machine to reduce the number; only the autoscaler does, by name. A refresh waits
   * for such machines. Default: false.
   */
  readonly protectFromScaleIn?: boolean;
}

/** A range of numbers. */
export interface NumberRange {
  /** The smallest number. */
  readonly min: number;
  /** The largest number. Default: no limit. */
  readonly max?: number;
}

/**
 * What the machines of a pool must have, so that AWS chooses among all types that have it, of the image's
 * architecture. Types that can't boot Talos are left out.
 */
export interface InstanceRequirementsArgs {
  /** Number of virtual processors. */
  readonly vcpus: NumberRange;
  /** Memory in GiB; a worker needs 1 at least. */
  readonly memoryGib: NumberRange;
  /**
   * Types to choose among, with `*` for any size, such as `m6i.*`. Default: all without GPUs and other
   * accelerators.
   */
  readonly allowedInstanceTypes?: readonly string[];
  /** Types that are never chosen. Excludes `allowedInstanceTypes`. Default: none. */
  readonly excludedInstanceTypes?: readonly string[];
  /** Whether types such as `t3` are chosen too. Default: false. */
  readonly burstable?: boolean;
}
