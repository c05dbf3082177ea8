import { isUnknown } from "../provider/base/unknown";
import { suggest } from "../provider/config/suggestion";
import type { CheckFailure } from "../provider/engine/handler";
import { type TypeSchema, typeSchema } from "./packageSchema";
import { choiceFor, isMapping, KINDS, kindOfValue, type Mapping } from "./valueKinds";
import type { WrittenName } from "./writtenNames";

const TYPES = "#/types/";

/**
 * What is wrong with the shape of an argument: another kind of value than the schema says, a missing
 * member, or one that the schema doesn't have. What is unknown is not judged, and the value is never quoted, because
 * it may be secret.
 *
 * @param property path of the argument, for the failures
 */
function checkShape(
  property: string,
  value: unknown,
  schema: TypeSchema,
  written: WrittenName,
): CheckFailure[] {
  if (value === undefined || value === null || (typeof value === "string" && isUnknown(value))) {
    return [];
  }
  const { $ref = TYPES, type, items, additionalProperties, oneOf = [] } = schema;
  if (oneOf.length > 0) {
    return checkChoice(property, value, oneOf, written);
  }
  // What may be anything, or a resource, the handler judges.
  if (!$ref.startsWith(TYPES) || type === undefined) {
    return [];
  }
  if (kindOfValue(value) !== KINDS[type]) {
    const reason = `it has to be ${KINDS[type]}, not ${kindOfValue(value)}`;
    return [{ property, reason }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      items === undefined ? [] : checkShape(`${property}[${index}]`, item, items, written),
    );
  }
  if (!isMapping(value)) {
    return [];
  }
  return $ref === TYPES
    ? checkValues(property, value, additionalProperties, written)
    : checkMembers(property, value, typeSchema($ref.slice(TYPES.length)), written);
}

/** A value that may be of several kinds. The handler judges one that is neither a list nor a mapping. */
function checkChoice(
  property: string,
  value: unknown,
  choices: readonly TypeSchema[],
  written: WrittenName,
): CheckFailure[] {
  if (typeof value !== "object") {
    return [];
  }
  const chosen = choiceFor(value, choices);
  if (chosen !== undefined) {
    return checkShape(property, value, chosen, written);
  }
  const allowed = choices.flatMap(({ type }) => (type === undefined ? [] : [KINDS[type]]));
  return [{ property, reason: `it has to be ${allowed.join(" or ")}, not ${kindOfValue(value)}` }];
}

/**
 * What is wrong with the members of a mapping that the schema knows.
 *
 * @param property path of the mapping; empty for the arguments themselves
 */
export function checkMembers(
  property: string,
  value: Mapping,
  { properties = {}, required = [] }: Pick<TypeSchema, "properties" | "required">,
  written: WrittenName,
): CheckFailure[] {
  const path = (name: string) => (property === "" ? name : `${property}.${name}`);
  const known = Object.keys(properties);
  const unknown = Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ property: path(name), reason: noSuchMember(name, known.map(written)) }));
  const missing = required
    .filter((name) => value[name] === undefined || value[name] === null)
    .map((name) => ({ property: path(written(name)), reason: "it is missing" }));
  const wrong = Object.entries(properties).flatMap(([name, member]) =>
    checkShape(path(written(name)), value[name], member, written),
  );
  return [...unknown, ...missing, ...wrong];
}

function noSuchMember(name: string, known: readonly string[]): string {
  const suggestion = suggest(name, known);
  const hint =
    suggestion === undefined ? `there are ${known.join(", ")}` : `did you mean "${suggestion}"?`;
  return `there is no such argument: ${hint}`;
}

/** The values of a map. Where texts are asked for, Talos and Kubernetes also take numbers. */
function checkValues(
  property: string,
  value: Mapping,
  schema: TypeSchema | undefined,
  written: WrittenName,
): CheckFailure[] {
  if (schema === undefined) {
    return [];
  }
  const isPlain = (each: unknown) => typeof each !== "object";
  return Object.entries(value)
    .filter(([, each]) => schema.type !== "string" || !isPlain(each))
    .flatMap(([name, each]) => checkShape(`${property}.${name}`, each, schema, written));
}
