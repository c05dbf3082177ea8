import type { PropertyProblem } from "./problems";

/** What is wrong with a choice among words; one that is left out is fine. */
export function checkWord(
  property: string,
  value: string | undefined,
  allowed: readonly string[],
): PropertyProblem[] {
  return value === undefined || allowed.includes(value)
    ? []
    : [{ property, reason: `"${value}" can't be chosen: take one of ${allowed.join(", ")}` }];
}
