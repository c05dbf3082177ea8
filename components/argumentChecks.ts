import type { PropertyProblem } from "./problems";

/** The problem of an argument, in a list; none without a reason. */
export function problemAt(property: string, reason: string | false | undefined): PropertyProblem[] {
  return typeof reason === "string" ? [{ property, reason }] : [];
}

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

/** The problem of an argument that must be a whole number in a range; none if it is left out. */
export function wholeNumber(
  property: string,
  value: number | undefined,
  from: number,
  to: number,
): PropertyProblem[] {
  return value === undefined || (Number.isInteger(value) && value >= from && value <= to)
    ? []
    : [{ property, reason: `${value} is not allowed: give a whole number from ${from} to ${to}` }];
}
