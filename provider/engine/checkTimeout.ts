import { isUnknown } from "../base/unknown";
import type { CheckFailure } from "./handler";

/**
 * The problem of a resource's time limit.
 *
 * @param property the input with the time limit
 */
export function checkTimeout(timeoutSeconds: number, property = "timeoutSeconds"): CheckFailure[] {
  if (isUnknown(timeoutSeconds) || (timeoutSeconds > 0 && timeoutSeconds <= 86_400)) {
    return [];
  }
  return [
    {
      property,
      reason: `${timeoutSeconds} is no valid time to wait: give more than 0 and at most 86400 seconds`,
    },
  ];
}
