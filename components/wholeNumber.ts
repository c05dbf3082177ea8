import type { PropertyProblem } from "./problems";

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
