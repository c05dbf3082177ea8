import type { Property, PropertyTable } from "./propertyTable";
import type { CheckFailure } from "./resourceKind";
import { isObject, isUnknown, type Value, type Values } from "./value";

/**
 * Failures of the rules between properties: pairs that exclude each other, groups of which exactly one is
 * set, and what another property needs. As in Terraform's SDK, unknown values are no fault.
 */
export function exclusions(table: PropertyTable, inputs: Values): CheckFailure[] {
  const told = new Set<string>();
  return [...rulesOf(table, "")]
    .flatMap(([path, property]) => [
      ...conflicts(inputs, path, property.conflictsWith ?? []),
      ...choices(inputs, path, property.exactlyOneOf),
      ...needs(inputs, path, property.requiredWith ?? []),
    ])
    .filter(({ reason }) => !told.has(reason) && told.add(reason));
}

function conflicts(inputs: Values, path: string, others: readonly string[]): CheckFailure[] {
  return others
    .filter((other) => isKnown(inputs, path) && isKnown(inputs, other))
    .map((other) => {
      const pair = [path, other].sort().join(" and ");
      return { property: path, reason: `${pair} can't both be set` };
    });
}

function choices(inputs: Values, path: string, group: readonly string[] = []): CheckFailure[] {
  const around = path.split(".").slice(0, -1).join(".");
  if (group.length === 0 || (around !== "" && !isKnown(inputs, around))) {
    return [];
  }
  const known = group.filter((each) => isKnown(inputs, each));
  const unknown = group.some((each) => find(inputs, each, isUnknown));
  return known.length === 1 || (known.length === 0 && unknown)
    ? []
    : [
        {
          property: known[1] ?? group[0] ?? path,
          reason: `exactly one of ${group.join(", ")} must be set, and ${known.length} are`,
        },
      ];
}

function needs(inputs: Values, path: string, others: readonly string[]): CheckFailure[] {
  return others
    .filter((other) => isKnown(inputs, path) && !find(inputs, other, () => true))
    .map((other) => ({ property: other, reason: `${path} needs ${other} beside it` }));
}

function* rulesOf(
  table: PropertyTable,
  prefix: string,
): Generator<readonly [path: string, property: Property]> {
  for (const [name, property] of Object.entries(table)) {
    yield [`${prefix}${name}`, property];
    yield* rulesOf(property.fields ?? {}, `${prefix}${name}.`);
  }
}

function isKnown(inputs: Values, path: string): boolean {
  return find(inputs, path, (value) => !isUnknown(value));
}

/** Whether the path has a value of which this holds, in any item of the lists on the way. */
function find(value: Value | undefined, path: string, holds: (value: Value) => boolean): boolean {
  if (path !== "" && Array.isArray(value)) {
    return value.some((item) => find(item, path, holds));
  }
  if (path === "") {
    return value !== undefined && value !== null && holds(value);
  }
  const [name = "", ...rest] = path.split(".");
  return isObject(value) && find(value[name], rest.join("."), holds);
}
