import { isMapping } from "../../../provider/config";
import type { Json, JsonObject } from "./kubernetesObject";
import { applyKeysOf, isAtomicMap, itemKey } from "./listKeys";

/**
 * The path of a field, as in `fieldsV1` of managed fields: a list of steps. `f:spec` is a field,
 * `k:{"name":"web"}` the list item with that key, and `.` the item itself.
 */
export type FieldPath = readonly string[];

/** A set of fields, by their path as a text. */
export type FieldSet = ReadonlyMap<string, FieldPath>;

/** Maps that may exist without entries. After an update, they count as fields themselves. */
const openMaps = ["annotations", "data", "labels", "stringData"];

/** Parts of every object that no manager owns. */
const unowned = ["apiVersion", "kind"];
const unownedMetadata = [
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "managedFields",
  "selfLink",
];

/** The fields an object sets, with their values. */
export function fieldsOf(object: JsonObject): ReadonlyMap<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  const { metadata, ...rest } = object;
  for (const [key, value] of Object.entries(rest)) {
    if (!unowned.includes(key)) {
      collect(fields, [], key, value);
    }
  }
  for (const [key, value] of Object.entries(isMapping(metadata) ? metadata : {})) {
    if (!unownedMetadata.includes(key)) {
      collect(fields, ["f:metadata"], key, value);
    }
  }
  return fields;
}

/** A field and its value; `undefined` for a list item or a map with entries. */
export interface FieldValue {
  readonly path: FieldPath;
  readonly value: Json | undefined;
}

function collect(
  fields: Map<string, FieldValue>,
  parent: FieldPath,
  key: string,
  value: Json,
): void {
  const path = [...parent, `f:${key}`];
  if (isMapping(value) && !isAtomicMap(key) && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value)) {
      collect(fields, path, name, member);
    }
    return;
  }
  const keys = Array.isArray(value) && value.length > 0 ? applyKeysOf(key, value) : undefined;
  if (Array.isArray(value) && keys) {
    for (const item of value.filter(isMapping)) {
      const itemPath = [...path, itemKey(item, keys)];
      add(fields, [...itemPath, "."], undefined);
      for (const [name, member] of Object.entries(item)) {
        collect(fields, itemPath, name, member);
      }
    }
    return;
  }
  add(fields, path, value);
}

function add(fields: Map<string, FieldValue>, path: FieldPath, value: Json | undefined): void {
  fields.set(textOf(path), { path, value });
}

/** A path as one text. */
export function textOf(path: FieldPath): string {
  return path.join("\u0000");
}

/** `fieldsV1` of a set. */
export function toFieldsV1(set: FieldSet): JsonObject {
  const root: JsonObject = {};
  for (const [, path] of [...set].sort(([one], [other]) => (one < other ? -1 : 1))) {
    let here = root;
    for (const step of path) {
      const next = here[step];
      const member: JsonObject = isMapping(next) ? next : {};
      here[step] = member;
      here = member;
    }
  }
  return root;
}

/** The set of a `fieldsV1`. */
export function fromFieldsV1(fields: JsonObject, parent: FieldPath = []): FieldSet {
  const set = new Map<string, FieldPath>();
  for (const [step, member] of Object.entries(fields)) {
    const path = [...parent, step];
    const members = isMapping(member) ? fromFieldsV1(member, path) : new Map<string, FieldPath>();
    if (members.size === 0) {
      set.set(textOf(path), path);
    }
    for (const [text, below] of members) {
      set.set(text, below);
    }
  }
  return set;
}

/** A path in the server's form: `.spec.containers[name="web"].image`. */
export function printed(path: FieldPath): string {
  return path
    .map((step) => {
      if (step.startsWith("f:")) {
        return `.${step.slice(2)}`;
      }
      if (!step.startsWith("k:")) {
        return "";
      }
      const keys = Object.entries(JSON.parse(step.slice(2)) as JsonObject);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
    })
    .join("");
}

/** The object without a field, and without list items and maps that become empty. */
export function without(object: JsonObject, path: FieldPath): JsonObject {
  return isMapping(object) ? (removed(object, path) ?? {}) : object;
}

function removed(value: JsonObject, [step = "", ...rest]: FieldPath): JsonObject | undefined {
  const key = step.slice(2);
  const { [key]: member, ...others } = value;
  if (member === undefined) {
    return value;
  }
  const [next] = rest;
  let after: Json | undefined;
  if (next === undefined) {
    after = undefined;
  } else if (Array.isArray(member)) {
    after = withoutItem(key, member, rest);
  } else if (isMapping(member)) {
    after = removed(member, rest);
  }
  const result = after === undefined ? others : { ...value, [key]: after };
  return Object.keys(result).length === 0 ? undefined : result;
}

function withoutItem(field: string, items: readonly Json[], path: FieldPath): Json[] | undefined {
  const [key = "", ...rest] = path;
  const keys = applyKeysOf(field, items) ?? [];
  const result = items.flatMap((item): Json[] => {
    if (!isMapping(item) || itemKey(item, keys) !== key) {
      return [item];
    }
    if (rest[0] === ".") {
      return [];
    }
    const after = removed(item, rest);
    return after === undefined ? [] : [after];
  });
  return result.length === 0 ? undefined : result;
}

/** Applies an object to a stored one: fields one by one, list items by their keys. */
export function merged(before: Json | undefined, applied: Json, field = ""): Json {
  if (isMapping(applied) && isMapping(before) && !isAtomicMap(field)) {
    const result = { ...before };
    for (const [key, value] of Object.entries(applied)) {
      result[key] = merged(before[key], value, key);
    }
    return result;
  }
  if (Array.isArray(applied) && Array.isArray(before)) {
    const keys = applyKeysOf(field, [...before, ...applied]);
    if (keys && applied.length > 0) {
      return mergedItems(before, applied, keys);
    }
  }
  return applied;
}

function mergedItems(
  before: readonly Json[],
  applied: readonly Json[],
  keys: readonly string[],
): Json[] {
  const result = [...before];
  for (const item of applied.filter(isMapping)) {
    const key = itemKey(item, keys);
    const index = result.findIndex((known) => isMapping(known) && itemKey(known, keys) === key);
    if (index < 0) {
      result.push(item);
    } else {
      result[index] = merged(result[index], item);
    }
  }
  return result;
}

/**
 * The maps that an update created; each is a field itself, because it may exist without entries.
 */
export function openMapsOf(object: JsonObject, parent: FieldPath = []): FieldPath[] {
  return Object.entries(object).flatMap(([key, value]): FieldPath[] => {
    if (!isMapping(value) || isAtomicMap(key)) {
      return [];
    }
    const path = [...parent, `f:${key}`];
    return [...(openMaps.includes(key) ? [[...path, "."]] : []), ...openMapsOf(value, path)];
  });
}
