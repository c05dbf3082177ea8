import type { PropertyTable } from "./propertyTable";
import type { CheckFailure } from "./resourceKind";
import { isObject, isUnknown, type Value, type Values } from "./value";

/** A failure for each pair of set properties that exclude each other. */
export function conflicts(table: PropertyTable, inputs: Values): CheckFailure[] {
  const told = new Set<string>();
  return [...conflictRules(table, "")].flatMap(([path, others]) =>
    others.flatMap((other) => {
      const pair = [path, other].sort().join(" ");
      if (!isSet(inputs, path) || !isSet(inputs, other) || told.has(pair)) {
        return [];
      }
      told.add(pair);
      return [{ property: path, reason: `${path} and ${other} can't both be set` }];
    }),
  );
}

function* conflictRules(
  table: PropertyTable,
  prefix: string,
): Generator<readonly [string, readonly string[]]> {
  for (const [name, { conflictsWith, fields }] of Object.entries(table)) {
    if (conflictsWith !== undefined) {
      yield [`${prefix}${name}`, conflictsWith];
    }
    yield* conflictRules(fields ?? {}, `${prefix}${name}.`);
  }
}

/** Whether the path has a known value, in any item of the lists on the way. */
function isSet(value: Value | undefined, path: string): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => isSet(item, path));
  }
  if (path === "") {
    return value !== undefined && value !== null && !isUnknown(value);
  }
  const [name = "", ...rest] = path.split(".");
  return isObject(value) && isSet(value[name], rest.join("."));
}
