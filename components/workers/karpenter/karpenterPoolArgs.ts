import type { Architecture } from "../../machines/instanceType";
import type { NumberRange } from "../autoScalingArgs";

/** How a machine is paid for. */
export type CapacityType = (typeof CAPACITY_TYPES)[number];

/** All ways to pay that a pool can choose. */
export const CAPACITY_TYPES = ["on-demand", "spot"] as const;

/** When Karpenter replaces machines to save money. */
export type ConsolidationPolicy = (typeof CONSOLIDATION_POLICIES)[number];

/** All policies. Source: the definition of `NodePool`, Karpenter v1.15.2. */
export const CONSOLIDATION_POLICIES = [
  "WhenEmpty",
  "WhenEmptyOrUnderutilized",
  "Balanced",
] as const;

/** Why Karpenter ends a machine. */
export type DisruptionReason = (typeof DISRUPTION_REASONS)[number];

/** All reasons that a budget can name. Source: as above. */
export const DISRUPTION_REASONS = ["Underutilized", "Empty", "Drifted", "Unhealthy"] as const;

/** How a requirement compares a label of machines with its values. */
export type RequirementOperator = (typeof REQUIREMENT_OPERATORS)[number];

/** All operators. Source: as above. */
export const REQUIREMENT_OPERATORS = [
  "In",
  "NotIn",
  "Exists",
  "DoesNotExist",
  "Gt",
  "Lt",
  "Gte",
  "Lte",
] as const;

/**
 * Arguments of a pool whose machines Karpenter launches, for pods that have no place, and ends once they are
 * not needed. Between both it chooses the cheapest machines that the pool allows. So what is allowed decides
 * the cost, and `limits` bounds it.
 */
export interface KarpenterPoolArgs {
  /** The most that all machines of the pool together have. It limits the pool's cost. */
  readonly limits: KarpenterLimitsArgs;
  /**
   * Architectures of the machines, `amd64` and `arm64`. With both, images of pods need both. Default:
   * `["amd64"]`.
   */
  readonly architectures?: readonly Architecture[];
  /**
   * How machines are paid for. `spot` costs up to 90 % less, and AWS may take such a machine away with two
   * minutes' notice. With both, Karpenter takes spot machines while there are some. Default: `["on-demand"]`.
   */
  readonly capacityTypes?: readonly CapacityType[];
  /**
   * Categories of instance types, such as `c`, `m` and `r`. Excludes `instanceFamilies` and `instanceTypes`.
   * Default: `["c", "m", "r"]`.
   */
  readonly instanceCategories?: readonly string[];
  /** Families of instance types, such as `m7i`. Excludes `instanceTypes`. Default: all of the categories. */
  readonly instanceFamilies?: readonly string[];
  /** Names of instance types, such as `m7i.large`. Default: all of the families or categories. */
  readonly instanceTypes?: readonly string[];
  /** Number of virtual processors of a machine. Default: any. */
  readonly vcpus?: NumberRange;
  /** Memory of a machine in GiB; a worker needs 1 at least. Default: any from 1 on. */
  readonly memoryGib?: NumberRange;
  /** More that machines must have, by their labels. Default: nothing. */
  readonly requirements?: readonly KarpenterRequirementArgs[];
  /**
   * How many machines Karpenter may end at the same time of its own will. A machine counts until it is gone. The
   * least of all budgets counts that apply. Default: one of `10%`.
   */
  readonly budgets?: readonly KarpenterBudgetArgs[];
  /**
   * When Karpenter ends machines to save money.
   * - `WhenEmpty`: once no pod needs them.
   * - `WhenEmptyOrUnderutilized`: also when their pods fit on others, or on cheaper ones. Pods move.
   * - `Balanced`: as the one before, where the saving outweighs the pods that move.
   *
   * Default: `WhenEmptyOrUnderutilized`.
   */
  readonly consolidationPolicy?: ConsolidationPolicy;
  /**
   * How long no pod may have come or gone on a machine before Karpenter considers it, such as `5m`, or `Never`.
   * Default: `1m`.
   */
  readonly consolidateAfter?: string;
  /**
   * The age at which Karpenter replaces a machine, such as `720h`, or `Never`. Budgets don't hold that up.
   * Default: `720h`, 30 days.
   */
  readonly expireAfter?: string;
  /**
   * How long the pods of a machine may hold up its end, such as `24h`. Then they end, whatever their disruption
   * budgets say. Without it, one pod that can't be evicted keeps a machine, and what the pool costs, for as long as it
   * likes. Default: `24h`.
   */
  readonly terminationGracePeriod?: string;
  /** Of several pools that fit, Karpenter takes that with the largest, 1 to 100. Default: none, the least. */
  readonly weight?: number;
}

/** What all machines of a pool have together at most. */
export interface KarpenterLimitsArgs {
  /** Virtual processors. */
  readonly vcpus: number;
  /** Memory in GiB. Default: no limit. */
  readonly memoryGib?: number;
  /** Machines. Default: as many as the processors allow. */
  readonly nodes?: number;
}

/** What the labels of a machine must say, in the terms of Kubernetes' node affinity. */
export interface KarpenterRequirementArgs {
  /** The label, such as `karpenter.k8s.aws/instance-cpu-manufacturer`. */
  readonly key: string;
  /** How the label is compared. */
  readonly operator: RequirementOperator;
  /** What it is compared with: one number for `Gt`, `Lt`, `Gte` and `Lte`; none for `Exists` and `DoesNotExist`. */
  readonly values?: readonly string[];
  /** How many different values there must be to choose from, 1 to 50. Default: any number. */
  readonly minValues?: number;
}

/** How many machines of a pool Karpenter may end at the same time. */
export interface KarpenterBudgetArgs {
  /** A number of machines or a share of them: `2`, `10%`, or `0` for none. */
  readonly nodes: string;
  /** The reasons that it applies to. Default: all. */
  readonly reasons?: readonly DisruptionReason[];
  /** When it begins to apply, in the form of a CronJob and in UTC: `0 8 * * 1-5`. Needs `duration`. Default: always. */
  readonly schedule?: string;
  /** How long it then applies, in hours and minutes: `10h`, `1h30m`. Needs `schedule`. */
  readonly duration?: string;
}
