import { suggest } from "../provider/config/suggestion";
import type { CheckFailure } from "../provider/handler";
import type { Properties } from "../provider/rpc/properties";
import { resourceSchema } from "./packageSchema";

/**
 * Arguments that the schema does not have, and those that are missing. A program in TypeScript has a
 * compiler for that; others may not.
 *
 * @param type such as `talos-aws:index:MachineSecrets`
 */
export function checkArguments(type: string, args: Properties): CheckFailure[] {
  const { inputProperties, requiredInputs = [] } = resourceSchema(type);
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
  return [...unknown, ...missing];
}
