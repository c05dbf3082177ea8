import * as pulumi from "@pulumi/pulumi";
import { ArgumentsError, type PropertyProblem } from "../provider/engine";
import { orFailRun } from "./failRun";

export {
  misspeltArguments,
  type PropertyProblem,
  refuse,
  withUnknownArguments,
} from "../provider/engine";

/** The problems of a nested argument, under the path of its parent. Those of `""` are the parent's own. */
export function within(parent: string, problems: readonly PropertyProblem[]): PropertyProblem[] {
  return problems.map(({ property, reason }) => ({
    property: property === "" ? parent : `${parent}.${property}`,
    reason,
  }));
}

/**
 * Checks an argument that may be known later. A plain value is checked at once, so its problems are
 * listed with the others. An output is checked when its value is known.
 *
 * @returns the problems that are known now, and the value for a resource, which fails the run later
 * if it is invalid
 */
export function judge(
  property: string,
  value: pulumi.Input<string>,
  check: (value: string) => string | undefined,
): {
  problems: PropertyProblem[];
  valueFor: (resource: pulumi.Resource) => pulumi.Output<string>;
} {
  if (typeof value === "string") {
    const reason = check(value);
    const problems = reason === undefined ? [] : [{ property, reason }];
    return { problems, valueFor: () => pulumi.output(value) };
  }
  return {
    problems: [],
    valueFor: (resource) =>
      pulumi
        .output(value)
        .apply((known) => orFailRun(resource, () => demand(property, known, check))),
  };
}

/**
 * Returns a valid value.
 *
 * @throws pulumi.InputPropertiesError for an invalid one
 */
export function demand(
  property: string,
  value: string,
  check: (value: string) => string | undefined,
): string {
  const reason = check(value);
  if (reason === undefined) {
    return value;
  }
  throw new ArgumentsError(`${property}: ${reason}`, [{ property, reason }]);
}
