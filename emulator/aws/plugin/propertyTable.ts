import { isEqual, isObject, type Value } from "./value";
import type { ValueRule } from "./valueRules";

/** The schema of one input property, as the AWS provider defines it. */
export interface Property {
  /** `map`: string to string. `block`: an object with `fields`. `blocks`: a list of those. */
  readonly type: "string" | "number" | "boolean" | "strings" | "map" | "block" | "blocks";
  readonly required?: boolean;
  /** A change replaces the resource. */
  readonly replaces?: boolean;
  /** AWS chooses the value when it is unset, so unsetting it later is no change. */
  readonly computed?: boolean;
  /** Used when it is unset. */
  readonly default?: Value;
  /** The order of the list doesn't matter. */
  readonly unordered?: boolean;
  /** The text is JSON. Its spacing and the order of its keys don't matter. */
  readonly json?: boolean;
  /** What the provider demands of the value, or of each text in a list. */
  readonly rule?: ValueRule;
  /** Fields of a block. */
  readonly fields?: PropertyTable;
  /** The key field of an unordered list's items. Items are compared field by field then. */
  readonly key?: string;
  /** Paths of properties that can't be set beside it. */
  readonly conflictsWith?: readonly string[];
  /** Paths of which exactly one is set, this one among them. In a block, only where there is the block. */
  readonly exactlyOneOf?: readonly string[];
  /** Paths of properties that must be set beside it. */
  readonly requiredWith?: readonly string[];
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

/** The value in a canonical form. Null stands for an unset one. */
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

/** A canonical text of an item, whatever the order of its keys. */
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
