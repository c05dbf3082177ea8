import { isFrozen } from "./frozenMemo";

/** A parsed YAML node: the same values as in JSON. */
export type YamlValue = YamlScalar | YamlValue[] | ConfigDocument;

/** A YAML scalar. */
export type YamlScalar = null | boolean | number | string;

/**
 * One document of a machine configuration, as plain data. The document without a `kind` is the
 * machine configuration proper (`v1alpha1`); every other one has `apiVersion` and `kind`.
 */
export interface ConfigDocument {
  [key: string]: YamlScalar | YamlValue[] | ConfigDocument;
}

/** Whether a value is a mapping, not a list, a scalar or absent. */
export function isMapping(value: YamlValue | undefined): value is ConfigDocument {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text at a key of a mapping; undefined if there is none or another value. */
export function textAt(value: YamlValue | undefined, key: string): string | undefined {
  const found = isMapping(value) ? value[key] : undefined;
  return typeof found === "string" ? found : undefined;
}

/**
 * The name of a document in messages, unique within a configuration: `v1alpha1` for the machine
 * configuration proper, else the kind, and the name if documents of the kind have names:
 * `HostnameConfig`, `KmsgLogConfig/remote`.
 */
export function documentId(document: ConfigDocument): string {
  const kind = textAt(document, "kind");
  if (kind === undefined || kind === "") {
    return "v1alpha1";
  }
  const name = textAt(document, "name");
  return name === undefined || name === "" ? kind : `${kind}/${name}`;
}

/** The members of a document that say which it is. */
export function identityOf(document: ConfigDocument): ConfigDocument {
  const { apiVersion, kind, name } = document;
  return Object.fromEntries(
    Object.entries({ apiVersion, kind, name }).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/**
 * A mapping of the same keys in the same order, without those for which `make` returns undefined.
 */
export function mapMembers(
  mapping: ConfigDocument,
  make: (member: YamlValue, key: string) => YamlValue | undefined,
): ConfigDocument {
  return membersOf(mapping, Object.keys(mapping), make);
}

/** The same for some keys in a given order. */
export function membersOf(
  mapping: ConfigDocument,
  keys: readonly string[],
  make: (member: YamlValue, key: string) => YamlValue | undefined,
): ConfigDocument {
  const made: ConfigDocument = {};
  for (const key of keys) {
    const member = make(mapping[key] ?? null, key);
    if (member === undefined) {
      continue;
    }
    if (key === "__proto__") {
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(made, key, { ...plainProperty, value: member });
    } else {
      made[key] = member;
    }
  }
  return made;
}

const plainProperty = { configurable: true, enumerable: true, writable: true };

/**
 * A value of the same keys and items with other scalars, at any depth.
 *
 * @param make gets a scalar, and the key of the nearest mapping that it is in. Default: `key`
 */
export function mapScalars(
  value: ConfigDocument,
  make: (scalar: YamlScalar, key: string) => YamlValue,
  key?: string,
): ConfigDocument;
export function mapScalars(
  value: YamlValue,
  make: (scalar: YamlScalar, key: string) => YamlValue,
  key?: string,
): YamlValue;
export function mapScalars(
  value: YamlValue,
  make: (scalar: YamlScalar, key: string) => YamlValue,
  key = "",
): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => mapScalars(item, make, key));
  }
  return isMapping(value)
    ? mapMembers(value, (child, name) => mapScalars(child, make, name))
    : make(value, key);
}

/** The scalars of a value at any depth, each with what another value has in the same place. */
export function scalarsBeside(
  value: YamlValue,
  other: YamlValue | undefined,
): (readonly [scalar: YamlScalar, other: YamlValue | undefined])[] {
  if (Array.isArray(value)) {
    const items = Array.isArray(other) ? other : [];
    return value.flatMap((item, index) => scalarsBeside(item, items[index]));
  }
  if (isMapping(value)) {
    const members = isMapping(other) ? other : {};
    return Object.entries(value).flatMap(([key, child]) => scalarsBeside(child, members[key]));
  }
  return [[value, other]];
}

/** A deep copy that can be changed in place, also of what is frozen. */
export function thawed(value: ConfigDocument): ConfigDocument;
export function thawed(value: YamlValue): YamlValue;
export function thawed(value: YamlValue): YamlValue {
  return mapScalars(value, (scalar) => scalar);
}

/** A deep copy of what isn't frozen, for functions that change no part in place. */
export function cloneValue<T extends YamlValue>(value: T): T;
export function cloneValue(value: YamlValue): YamlValue {
  if (isFrozen(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => cloneValue(item));
  }
  return isMapping(value) ? mapMembers(value, (child) => cloneValue(child)) : value;
}
