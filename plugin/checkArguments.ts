import type { CheckFailure } from "../provider/engine";
import type { Properties } from "../provider/rpc";
import {
  asInSchema,
  checkMembers,
  functionArguments,
  resourceArguments,
  type WrittenName,
} from "../provider/schema";

/**
 * Arguments that the schema does not have, those that are missing, and those of another shape, at any depth. A
 * program in TypeScript has a compiler for that; others may not.
 *
 * @param type of a resource or a component, such as `talos-aws:index:MachineSecrets`
 * @param written how the program writes names. Default: as in the schema
 */
export function checkArguments(
  type: string,
  args: Properties,
  written: WrittenName = asInSchema,
): CheckFailure[] {
  return checkMembers(args, resourceArguments(type), { written });
}

/**
 * The same of a function, or of a method of a component.
 *
 * @param token such as `talos-aws:index:getVersion`
 */
export function checkFunctionArguments(
  token: string,
  args: Properties,
  written: WrittenName = asInSchema,
): CheckFailure[] {
  return checkMembers(args, functionArguments(token), { written });
}
