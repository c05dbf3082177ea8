/** A property's value as Pulumi's provider protocol carries it. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Properties of a resource by name. */
export type Values = Record<string, Value>;

/**
 * What stands in the protocol for a value that is not known before the update (pulumi/pulumi,
 * sdk/go/common/resource/plugin/rpc.go v3.230.0: UnknownStringValue).
 */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The same for values of other types, from the same file. */
const UNKNOWNS: ReadonlySet<Value> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** Whether the value itself is not known yet. */
export function isUnknown(value: Value | undefined): boolean {
  return value !== undefined && UNKNOWNS.has(value);
}

/** Whether the value or anything inside it is not known yet. */
export function containsUnknown(value: Value | undefined): boolean {
  if (Array.isArray(value)) {
    return value.some(containsUnknown);
  }
  return isObject(value) ? Object.values(value).some(containsUnknown) : isUnknown(value);
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
