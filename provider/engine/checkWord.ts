import { isUnknown } from "../base/unknown";
import type { CheckFailure } from "./handler";

/** The problem of an input that has to be one of a few words. */
export function checkWord(
  property: string,
  value: unknown,
  allowed: readonly string[],
): CheckFailure[] {
  return isUnknown(value) || allowed.includes(String(value))
    ? []
    : [{ property, reason: `"${String(value)}" is none of ${allowed.join(", ")}` }];
}
