import { isMapping } from "../base";
import { suggest } from "../config";
import type { PropertyProblem } from "../engine/argumentsError";
import { adviceFor, joinPath } from "./memberNames";
import { type MembersSchema, referredType, type TypeSchema } from "./packageSchema";
import { choiceFor, type Mapping } from "./valueKinds";
import { asInSchema } from "./writtenName";

/**
 * What a program in TypeScript gives that the schema doesn't have, at any depth. The compiler finds it in an
 * object that stands in the call, but not in a variable, if the argument is optional. Outputs, resources and
 * functions are left out.
 *
 * @param takesWider whether an object may have more than it is asked for, such as another component's output.
 *   Then only a name that is similar to a member which isn't given is a problem
 */
export function unknownMembers(
  args: Mapping,
  schema: MembersSchema,
  takesWider: boolean,
): PropertyProblem[] {
  const members = (path: string, given: Mapping, of: MembersSchema): PropertyProblem[] => {
    const { properties = {}, language } = of;
    const known = [...Object.keys(properties), ...(language?.nodejs.programOnly ?? [])];
    const missing = known.filter((name) => given[name] === undefined);
    const isProblem = (name: string) =>
      !known.includes(name) && (!takesWider || suggest(name, missing) !== undefined);
    const own = Object.keys(given)
      .filter(isProblem)
      .map((name) => {
        const advice = adviceFor(name, takesWider ? missing : known, schema, asInSchema);
        return { property: joinPath(path, name), reason: `there is no such argument: ${advice}` };
      });
    const inside = Object.entries(properties).flatMap(([name, member]) =>
      value(joinPath(path, name), given[name], member),
    );
    return [...own, ...inside];
  };
  const value = (path: string, given: unknown, of: TypeSchema): PropertyProblem[] => {
    const { items, additionalProperties, oneOf } = of;
    const chosen = oneOf && choiceFor(given, oneOf);
    if (chosen !== undefined) {
      return value(path, given, chosen);
    }
    if (Array.isArray(given) && items !== undefined) {
      return given.flatMap((item, index) => value(`${path}[${index}]`, item, items));
    }
    if (!isPlain(given)) {
      return [];
    }
    const referred = referredType(of);
    if (referred.properties !== undefined) {
      return members(path, given, referred);
    }
    return additionalProperties === undefined
      ? []
      : Object.entries(given).flatMap(([name, each]) =>
          value(joinPath(path, name), each, additionalProperties),
        );
  };
  return members("", args, schema);
}

/** Whether a value is an object that a program wrote, and no output, promise or resource. */
function isPlain(value: unknown): value is Mapping {
  const prototype: unknown = isMapping(value) ? Object.getPrototypeOf(value) : undefined;
  return prototype === Object.prototype || (prototype === null && isMapping(value));
}
