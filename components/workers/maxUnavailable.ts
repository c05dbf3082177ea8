import type { PropertyProblem } from "../problems";

/**
 * How many machines of a pool may be unavailable at the same time: a number, or a share such as
 * `25%`.
 */
export type MaxUnavailable = number | `${number}%`;

/** A tenth of a large pool, and one machine of a small one. */
export const DEFAULT_MAX_UNAVAILABLE: MaxUnavailable = "10%";

/**
 * How many machines change at the same time. A share is rounded down, as in Kubernetes'
 * `maxUnavailable`, but to at least one.
 */
export function batchSize(maxUnavailable: MaxUnavailable, machineCount: number): number {
  const size =
    typeof maxUnavailable === "number"
      ? maxUnavailable
      : (Number.parseInt(maxUnavailable, 10) / 100) * machineCount;
  return Math.max(1, Math.floor(size));
}

/** All problems of how many machines may be away at the same time. */
export function checkMaxUnavailable(
  maxUnavailable: MaxUnavailable = DEFAULT_MAX_UNAVAILABLE,
): PropertyProblem[] {
  const isFine =
    typeof maxUnavailable === "number"
      ? Number.isInteger(maxUnavailable) && maxUnavailable >= 1
      : /^([1-9]|[1-9]\d|100)%$/.test(maxUnavailable);
  if (isFine) {
    return [];
  }
  const reason = `"${maxUnavailable}" is no number of machines: give 1 or more, or a share from "1%" to "100%"`;
  return [{ property: "maxUnavailable", reason }];
}
