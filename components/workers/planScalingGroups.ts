import type { AutoScalingArgs } from "./autoScalingArgs";

/** A planned auto scaling group. */
export interface ScalingGroupPlan {
  /** Identifies the group in its pool: the key of its zone, or `all`. */
  readonly key: string;
  /** Keys of the zones, and so of the subnets, of its machines. */
  readonly zoneKeys: readonly string[];
  readonly minSize: number;
  readonly maxSize: number;
  readonly desiredSize: number;
  readonly onDemandBaseSize: number;
}

const ALL_ZONES = "all";

/** The default number of machines of a pool, also at the start of the autoscaler. */
export function desiredSizeOf({ minSize, desiredSize = minSize }: AutoScalingArgs): number {
  return desiredSize;
}

/**
 * The groups of a pool: one over all zones, or one per zone. The sizes are divided evenly among
 * them, with the remainder in the first ones. Their sum is exactly the pool's size.
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
