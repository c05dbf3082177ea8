import { isUnknown as holdsUnknown } from "../../../provider/unknown";

/** A property's value as Pulumi's provider protocol carries it. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Properties of a resource by name. */
export type Values = Record<string, Value>;

const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

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

/** The value without the marks that say "this is secret". */
export function withoutSecretMarks(value: Value): Value {
  if (Array.isArray(value)) {
    return value.map(withoutSecretMarks);
  }
  if (!isObject(value)) {
    return value;
  }
  if (value[SIGNATURE_KEY] === SECRET_SIGNATURE) {
    return withoutSecretMarks(value.value ?? null);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutSecretMarks(inner)]),
  );
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
