import { suggest } from "../config";
import { type MembersSchema, referredType } from "./packageSchema";
import type { WrittenName } from "./writtenName";

/** `network.zones`; `machines["2"]` where the name is none of the schema's. */
export function joinPath(path: string, name: string): string {
  if (!/^[a-zA-Z]\w*$/.test(name)) {
    return `${path}["${name}"]`;
  }
  return path === "" ? name : `${path}.${name}`;
}

/**
 * What to do about a name that is none of a mapping's members: the similar one, or the only other place with a
 * member of exactly that name.
 *
 * @param known the names of the mapping's members
 * @param root all arguments, where the other place is looked for
 */
export function adviceFor(
  name: string,
  known: readonly string[],
  root: MembersSchema,
  written: WrittenName,
): string {
  const names = known.map(written);
  const near = suggest(name, names) ?? elsewhere(name, root, written);
  return near === undefined ? `known are ${names.join(", ")}` : `did you mean "${near}"?`;
}

/** The only place with a member of exactly that name; undefined if there are none or several. */
function elsewhere(name: string, root: MembersSchema, written: WrittenName): string | undefined {
  const [found, ...others] = pathsTo(name, root, "", written);
  return others.length === 0 ? found : undefined;
}

function pathsTo(
  name: string,
  { properties = {} }: MembersSchema,
  path: string,
  written: WrittenName,
): string[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const here = joinPath(path, written(key));
    return written(key) === name ? [here] : pathsTo(name, referredType(schema), here, written);
  });
}
