import type { PropertyProblem } from "./problems";

/** The problem of a choice among words; none if it is left out. */
export function checkWord(
  property: string,
  value: string | undefined,
  allowed: readonly string[],
): PropertyProblem[] {
  return value === undefined || allowed.includes(value)
    ? []
    : [{ property, reason: `"${value}" can't be chosen: take one of ${allowed.join(", ")}` }];
}
