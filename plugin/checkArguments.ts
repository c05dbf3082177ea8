import { suggest } from "../provider/config/suggestion";
import type { CheckFailure } from "../provider/handler";
import type { Properties } from "../provider/rpc/properties";
import { checkShape } from "./checkShape";
import { functionArguments, resourceSchema, type TypeSchema } from "./packageSchema";

/**
 * Arguments that the schema does not have, those that are missing, and those of another shape. A program
 * in TypeScript has a compiler for that; others may not.
 *
 * @param type such as `talos-aws:index:MachineSecrets`
 */
export function checkArguments(type: string, args: Properties): CheckFailure[] {
  const { inputProperties, requiredInputs } = resourceSchema(type);
  return checkAll(args, inputProperties, requiredInputs);
}

/**
 * The same of a function.
 *
 * @param token such as `talos-aws:index:getVersion`
 */
export function checkFunctionArguments(token: string, args: Properties): CheckFailure[] {
  const { properties, required } = functionArguments(token);
  return checkAll(args, properties, required);
}

function checkAll(
  args: Properties,
  inputProperties: Readonly<Record<string, TypeSchema>> = {},
  requiredInputs: readonly string[] = [],
): CheckFailure[] {
  const known = Object.keys(inputProperties);
  const unknown = Object.keys(args)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const suggestion = suggest(name, known);
      const hint =
        suggestion === undefined
          ? `there are ${known.join(", ")}`
          : `did you mean "${suggestion}"?`;
      return { property: name, reason: `there is no such argument: ${hint}` };
    });
  const missing = requiredInputs
    .filter((name) => args[name] === undefined || args[name] === null)
    .map((name) => ({ property: name, reason: "it is missing" }));
  const wrong = Object.entries(inputProperties).flatMap(([name, schema]) =>
    checkShape(name, args[name], schema),
  );
  return [...unknown, ...missing, ...wrong];
}
