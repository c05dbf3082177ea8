import { resourceArguments, unknownMembers } from "../schema";
import { ArgumentsError, type PropertyProblem } from "./argumentsError";

/**
 * Refuses arguments with problems; does nothing without any.
 *
 * @param what can't be created, for example `the network "talos-network"`
 * @throws pulumi.InputPropertiesError that lists all problems
 */
export function refuse(what: string, problems: readonly PropertyProblem[]): void {
  if (problems.length === 0) {
    return;
  }
  const lines = problems.map(({ property, reason }) => `  - ${property}: ${reason}`);
  const message = `${what} can't be made of these arguments:\n${lines.join("\n")}`;
  throw new ArgumentsError(message, problems);
}

/**
 * Arguments that a component doesn't have, at any depth, for which it would take its defaults in silence; and
 * its other problems.
 *
 * @param type in the package's schema, such as `talos-aws:index:TalosCluster`
 */
export function withUnknownArguments(
  type: string,
  args: object,
  others: readonly PropertyProblem[],
): PropertyProblem[] {
  const unknown = unknownMembers({ ...args }, resourceArguments(type), false);
  const places = new Set(unknown.map(({ property }) => property));
  return [...unknown, ...others.filter(({ property }) => !places.has(property))];
}

/**
 * Those of a resource, or of a part of a cluster. They are often given another component's outputs, which may
 * have more than they are asked for, as TypeScript allows. So only a name that is similar to an argument which
 * isn't given is a problem.
 *
 * @param type in the package's schema, such as `talos-aws:index:Network`
 */
export function misspeltArguments(type: string, args: object): PropertyProblem[] {
  return unknownMembers({ ...args }, resourceArguments(type), true);
}
