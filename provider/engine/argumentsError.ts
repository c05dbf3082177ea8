import * as pulumi from "@pulumi/pulumi";
import { withoutUserinfo } from "../config/secrets/secretUrl";

/** A problem of one argument. */
export interface PropertyProblem {
  /** Path of the argument, for example `network.zones[1]`. */
  readonly property: string;
  /** What is wrong, the bad value, what is allowed, what to do. */
  readonly reason: string;
}

/** Problems as people may see them: without user names and passwords in addresses. */
export function presentableProblems(problems: readonly PropertyProblem[]): PropertyProblem[] {
  return problems.map(({ property, reason }) => ({
    property: withoutUserinfo(property),
    reason: withoutUserinfo(reason),
  }));
}

/**
 * Arguments that nothing can be made of. In a program, Pulumi prints the message alone, without the stack of
 * calls. The plugin hands the single problems to the engine.
 */
export class ArgumentsError extends pulumi.InputPropertiesError {
  /**
   * The mark by which every copy of Pulumi's SDK knows a `RunError`, of which it prints only the message.
   * Source: pulumi v3.230.0, sdk/nodejs/errors.ts and cmd/run/run.ts.
   */
  readonly __pulumiRunError = true;

  /**
   * @param message for people; contains all problems, because not every way to run a program prints `problems`
   */
  constructor(message: string, problems: readonly PropertyProblem[]) {
    super({
      message: withoutUserinfo(message),
      errors: presentableProblems(problems).map(({ property, reason }) => ({
        propertyPath: property,
        reason,
      })),
    });
    this.name = "ArgumentsError";
  }
}
