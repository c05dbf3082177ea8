import type { CheckFailure } from "../provider/handler";
import { isUnknown } from "../provider/unknown";
import { type TypeSchema, typeSchema } from "./packageSchema";

const TYPES = "#/types/";

/**
 * What is wrong with the shape of an argument: another kind of value than the schema says, or a missing
 * member. What is unknown is not judged, and the value is never quoted, because it may be secret.
 *
 * @param property path of the argument, for the failures
 */
export function checkShape(property: string, value: unknown, schema: TypeSchema): CheckFailure[] {
  if (value === undefined || value === null || (typeof value === "string" && isUnknown(value))) {
    return [];
  }
  const { $ref = TYPES, type, items, additionalProperties } = schema;
  // What may be anything, a resource, or one of several, the handler judges.
  if (!$ref.startsWith(TYPES) || type === undefined) {
    return [];
  }
  if (kindOfValue(value) !== KINDS[type]) {
    const reason = `it has to be ${KINDS[type]}, not ${kindOfValue(value)}`;
    return [{ property, reason }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      items === undefined ? [] : checkShape(`${property}[${index}]`, item, items),
    );
  }
  return isMapping(value)
    ? [
        ...checkMembers(property, value, typeSchema($ref.slice(TYPES.length))),
        ...checkValues(property, value, additionalProperties),
      ]
    : [];
}

const KINDS = {
  array: "a list",
  boolean: "true or false",
  integer: "a number",
  number: "a number",
  object: "a mapping",
  string: "a text",
} as const;

function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) {
    return KINDS.array;
  }
  const type = typeof value;
  return type === "object" || type === "boolean" || type === "number" ? KINDS[type] : KINDS.string;
}

function checkMembers(
  property: string,
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [] }: Pick<TypeSchema, "properties" | "required">,
): CheckFailure[] {
  const missing = required
    .filter((name) => value[name] === undefined || value[name] === null)
    .map((name) => ({ property: `${property}.${name}`, reason: "it is missing" }));
  const wrong = Object.entries(properties).flatMap(([name, member]) =>
    checkShape(`${property}.${name}`, value[name], member),
  );
  return [...missing, ...wrong];
}

/** The values of a map. Where texts are asked for, Talos and Kubernetes also take numbers. */
function checkValues(
  property: string,
  value: Readonly<Record<string, unknown>>,
  schema: TypeSchema | undefined,
): CheckFailure[] {
  if (schema === undefined) {
    return [];
  }
  const isPlain = (each: unknown) => typeof each !== "object";
  return Object.entries(value)
    .filter(([, each]) => schema.type !== "string" || !isPlain(each))
    .flatMap(([name, each]) => checkShape(`${property}.${name}`, each, schema));
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
