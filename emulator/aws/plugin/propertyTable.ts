import { isEqual, isObject, type Value } from "./value";

/** What one input property of a resource is, as the AWS provider defines it. */
export interface Property {
  /** `map`: string to string. `block`: an object with `fields`. `blocks`: a list of those. */
  readonly type: "string" | "number" | "boolean" | "strings" | "map" | "block" | "blocks";
  readonly required?: boolean;
  /** A change needs another resource. */
  readonly replaces?: boolean;
  /** AWS chooses when it is left out; so leaving it out later is no change. */
  readonly computed?: boolean;
  /** Filled in when it is left out. */
  readonly default?: Value;
  /** The order in the list means nothing. */
  readonly unordered?: boolean;
  /** The text is JSON; its spacing and the order of its keys mean nothing. */
  readonly json?: boolean;
  /** Fields of a block. */
  readonly fields?: PropertyTable;
  /** The field that tells items of an unordered list apart; changes are then those of its fields. */
  readonly key?: string;
  /** Paths of properties that can't be set beside it. */
  readonly conflictsWith?: readonly string[];
}

/** Input properties by name. */
export type PropertyTable = Readonly<Record<string, Property>>;

/** Whether two values of the property mean the same. */
export function meansTheSame(
  property: Property,
  a: Value | undefined,
  b: Value | undefined,
): boolean {
  return isEqual(canonical(property, a), canonical(property, b));
}

/** The value in a form in which equal meaning is equal form; null stands for "left out". */
function canonical(property: Property, value: Value | undefined): Value {
  if (value === undefined || value === null) {
    return null;
  }
  if (property.json === true && typeof value === "string") {
    return parseJson(value);
  }
  if (property.unordered === true && Array.isArray(value)) {
    return value
      .map((item) => canonical({ ...property, unordered: false, type: "block" }, item))
      .sort((a, b) => compare(sortKey(a), sortKey(b)));
  }
  const { fields } = property;
  if (fields !== undefined && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => inner !== null)
        .map(([key, inner]) => {
          const field = fields[key];
          return [key, field === undefined ? inner : canonical(field, inner)];
        }),
    );
  }
  if (fields !== undefined && Array.isArray(value)) {
    return value.map((item) => canonical({ type: "block", fields }, item));
  }
  return value;
}

/** The same text for equal items, in whichever order their keys are. */
function sortKey(item: Value): string {
  return JSON.stringify(isObject(item) ? Object.entries(item).sort() : item);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parseJson(text: string): Value {
  try {
    const parsed: Value = JSON.parse(text) as Value;
    return parsed;
  } catch {
    return text;
  }
}
