import type { CheckFailure } from "./handler";
import { isUnknown } from "./unknown";

/** What is wrong with the input `timeoutSeconds` of a resource that waits for machines. */
export function checkTimeout(timeoutSeconds: number): CheckFailure[] {
  if (isUnknown(timeoutSeconds) || (timeoutSeconds > 0 && timeoutSeconds <= 86_400)) {
    return [];
  }
  return [
    {
      property: "timeoutSeconds",
      reason: `${timeoutSeconds} is no time to wait: give more than 0 and at most 86400 seconds`,
    },
  ];
}
