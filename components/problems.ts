import * as pulumi from "@pulumi/pulumi";

/** One thing wrong with one argument. */
export interface PropertyProblem {
  /** Path of the argument, for example `network.zones[1]`. */
  readonly property: string;
  /** What is wrong, the bad value, what is allowed, what to do. */
  readonly reason: string;
}

/** The problems of a nested argument, as problems of the one that holds it. */
export function within(parent: string, problems: readonly PropertyProblem[]): PropertyProblem[] {
  return problems.map(({ property, reason }) => ({ property: `${parent}.${property}`, reason }));
}

/**
 * Refuses arguments that have problems; does nothing when there are none.
 *
 * @param what what can't be made, for example `the network "talos-network"`
 * @throws pulumi.InputPropertiesError that lists all problems
 */
export function refuse(what: string, problems: readonly PropertyProblem[]): void {
  if (problems.length === 0) {
    return;
  }
  const lines = problems.map(({ property, reason }) => `  - ${property}: ${reason}`);
  throw new pulumi.InputPropertiesError({
    // Written out, because not every way to run a program prints the list of errors.
    message: `${what} can't be made of these arguments:\n${lines.join("\n")}`,
    errors: problems.map(({ property, reason }) => ({ propertyPath: property, reason })),
  });
}

/**
 * Judges an argument that may be known only later. A plain value is judged at once, so that its
 * problems are told together with the others; an output is judged when its value is known.
 *
 * @returns the problems that are known now; and the value, which fails later when it is bad
 */
export function judge(
  property: string,
  value: pulumi.Input<string>,
  check: (value: string) => string | undefined,
): { problems: PropertyProblem[]; value: pulumi.Output<string> } {
  if (typeof value === "string") {
    const reason = check(value);
    const problems = reason === undefined ? [] : [{ property, reason }];
    return { problems, value: pulumi.output(value) };
  }
  return {
    problems: [],
    value: pulumi.output(value).apply((known) => demand(property, known, check)),
  };
}

/**
 * Passes on a value that is fine.
 *
 * @throws pulumi.InputPropertiesError for one that isn't
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
  throw new pulumi.InputPropertiesError({
    message: `${property}: ${reason}`,
    errors: [{ propertyPath: property, reason }],
  });
}
