import type { CheckFailure } from "./handler";
import { isUnknown } from "./unknown";

/**
 * What is wrong with how long a resource waits for machines.
 *
 * @param property the input that says it
 */
export function checkTimeout(timeoutSeconds: number, property = "timeoutSeconds"): CheckFailure[] {
  if (isUnknown(timeoutSeconds) || (timeoutSeconds > 0 && timeoutSeconds <= 86_400)) {
    return [];
  }
  return [
    {
      property,
      reason: `${timeoutSeconds} is no time to wait: give more than 0 and at most 86400 seconds`,
    },
  ];
}
