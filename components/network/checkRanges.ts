import { problemAt } from "../argumentChecks";
import type { PropertyProblem } from "../problems";
import { cidrProblem, overlaps, parseCidr } from "./cidr";

/** A range of addresses and its users. */
export interface UsedRange {
  /** Path of its argument. */
  readonly property: string;
  /** Its users, for example `pods`. */
  readonly what: string;
  readonly text: string;
}

/** The ranges of a cluster's pods and services. */
export function rangesOf(cluster: {
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
}): UsedRange[] {
  const used = (property: string, what: string, texts: readonly string[]) =>
    texts.map((text, index) => ({ property: `${property}[${index}]`, what, text }));
  return [
    ...used("podCidrs", "pods", cluster.podCidrs),
    ...used("serviceCidrs", "services", cluster.serviceCidrs),
  ];
}

/** All problems of ranges: texts that are none, and ranges that overlap an earlier one. */
export function checkRanges(ranges: readonly UsedRange[]): PropertyProblem[] {
  const sound = ranges.filter(({ text }) => cidrProblem(text) === undefined);
  const overlapping = sound.flatMap(({ property, what, text }, index) => {
    const taken = sound
      .slice(0, index)
      .find((other) => overlaps(parseCidr(other.text), parseCidr(text)));
    return problemAt(
      property,
      taken !== undefined &&
        `the range "${text}" of ${what} overlaps the range "${taken.text}" of ${taken.what}: move one of them (default ranges: machines "10.0.0.0/16", pods "10.244.0.0/16", services "10.96.0.0/12")`,
    );
  });
  return [
    ...ranges.flatMap(({ property, text }) => problemAt(property, cidrProblem(text))),
    ...overlapping,
  ];
}
