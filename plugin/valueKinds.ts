import type { TypeSchema } from "./packageSchema";

/** The kinds of values, as messages name them, by the types of the schema. */
export const KINDS = {
  array: "a list",
  boolean: "true or false",
  integer: "a number",
  number: "a number",
  object: "a mapping",
  string: "a text",
} as const;

/** Values by name. */
export type Mapping = Readonly<Record<string, unknown>>;

/** The kind of a value. */
export function kindOfValue(value: unknown): string {
  if (Array.isArray(value)) {
    return KINDS.array;
  }
  const type = typeof value;
  return type === "object" || type === "boolean" || type === "number" ? KINDS[type] : KINDS.string;
}

/** The first of several schemas that a value's kind fits; undefined if it fits none. */
export function choiceFor(value: unknown, choices: readonly TypeSchema[]): TypeSchema | undefined {
  return choices.find(({ type }) => type !== undefined && KINDS[type] === kindOfValue(value));
}

/** Whether a value has members by name. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
