import type { PropertyProblem } from "./problems";

/** What is wrong with an argument that is a whole number in a range; nothing where it isn't given. */
export function wholeNumber(
  property: string,
  value: number | undefined,
  from: number,
  to: number,
): PropertyProblem[] {
  return value === undefined || (Number.isInteger(value) && value >= from && value <= to)
    ? []
    : [{ property, reason: `${value} can't be: give a whole number from ${from} to ${to}` }];
}
