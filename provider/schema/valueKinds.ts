import type { TypeSchema } from "./packageSchema";

/** The kinds of values, as messages name them, by the types of the schema. */
export const KINDS = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  object: "a mapping",
  string: "a text",
} as const;

/** Values by name. */
export type Mapping = Readonly<Record<string, unknown>>;

/** The kind of a value, in the words of messages. */
export function kindOfValue(value: unknown): string {
  return KINDS[typeOf(value)];
}

/** Whether a value is of the kind that a schema names. */
export function fitsKind(value: unknown, { type }: TypeSchema): boolean {
  const own = typeOf(value);
  return value !== null && (own === type || (own === "integer" && type === "number"));
}

/** The first of several schemas that a value's kind fits; undefined if it fits none. */
export function choiceFor(value: unknown, choices: readonly TypeSchema[]): TypeSchema | undefined {
  return choices.find((choice) => fitsKind(value, choice));
}

function typeOf(value: unknown): keyof typeof KINDS {
  if (Array.isArray(value)) {
    return "array";
  }
  if (Number.isInteger(value)) {
    return "integer";
  }
  const type = typeof value;
  return type === "object" || type === "boolean" || type === "number" ? type : "string";
}
