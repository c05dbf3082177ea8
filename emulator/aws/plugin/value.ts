import { isUnknown as holdsUnknown } from "../../../provider/base";

/** A property's value as Pulumi's provider protocol carries it. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Properties of a resource by name. */
export type Values = Record<string, Value>;

/** Whether the value itself is not known yet. */
export function isUnknown(value: Value | undefined): boolean {
  return typeof value === "string" && holdsUnknown(value);
}

/** Whether the value or anything inside it is not known yet. */
export function containsUnknown(value: Value | undefined): boolean {
  return holdsUnknown(value);
}

/** Whether the value is an object (a map or a block). */
export function isObject(value: Value | undefined): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values are equal to the last leaf; the order of keys does not matter. */
export function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => key in b && isEqual(a[key], b[key]))
    );
  }
  return a === b;
}
