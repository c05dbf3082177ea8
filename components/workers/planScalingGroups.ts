import type { AutoScalingArgs } from "./autoScalingArgs";

/** One auto scaling group to make. */
export interface ScalingGroupPlan {
  /** Names the group within its pool: the key of its zone, or `all`. */
  readonly key: string;
  /** Keys of the zones, and so of the subnets, that it makes machines in. */
  readonly zoneKeys: readonly string[];
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredSize: number;
  readonly onDemandBaseSize: number;
}

/** The key of a group over all zones. */
const ALL_ZONES = "all";

/** How many machines a pool has when nothing is said; also how many the autoscaler begins with. */
export function desiredSizeOf({ minSize, desiredSize = minSize }: AutoScalingArgs): number {
  return desiredSize;
}

/**
 * The groups of a pool: one over all zones, or one in each, among which the sizes are divided evenly,
 * what is left over going to the first ones. Together they have exactly the sizes of the pool.
 *
 * @param zoneKeys in the order to fill
 */
export function planScalingGroups(
  scaling: AutoScalingArgs,
  zoneKeys: readonly string[],
): ScalingGroupPlan[] {
  const parts =
    scaling.groups === "single"
      ? [{ key: ALL_ZONES, zoneKeys }]
      : zoneKeys.map((key) => ({ key, zoneKeys: [key] }));
  const share = (size: number, index: number) =>
    Math.floor(size / parts.length) + (index < size % parts.length ? 1 : 0);
  return parts.map((part, index) => ({
    ...part,
    minSize: share(scaling.minSize, index),
    maxSize: share(scaling.maxSize, index),
    desiredSize: share(desiredSizeOf(scaling), index),
    onDemandBaseSize: share(scaling.onDemandBaseSize ?? 0, index),
  }));
}
