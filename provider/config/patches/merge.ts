import { cloneValue, type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { type Field, type ListShape, memberField } from "../schema/configSchema";
import { isEmpty, normalizeValue } from "../schema/normalize";

/** Options of a merge. */
export interface MergeOptions {
  /** The Talos minor whose rules apply: 12 is v1.12. */
  readonly talosMinor: number;
  /** Reports that two values can't be merged. */
  readonly report: (path: Path, message: string) => void;
}

/**
 * Merges a patch into a value by Talos' rules. Mappings merge key by key. Lists get the patch's
 * items appended, with two exceptions. Items with an identifying key (network interfaces, VLANs,
 * admission plugins, configuration files of an extension) merge with the item of the same key. Some
 * lists (`podSubnets`, `serviceSubnets`, ports and ingress of a network rule) are replaced, and so
 * is `auditPolicy`. Scalars are replaced. But an empty scalar in the patch has no effect if Talos
 * can't tell it from an absent one, and until v1.11 never. Neither argument is changed.
 *
 * Source: pkg/machinery/config/merge and the Merge methods of pkg/machinery/config/types, Talos
 * v1.10.6 to v1.13.9. `applyPatches` lists deliberate differences.
 */
function mergeValue(
  left: YamlValue | undefined,
  right: YamlValue | undefined,
  field: Field,
  options: MergeOptions,
  path: Path = [],
): YamlValue | undefined {
  if (right === undefined || right === null) {
    return left;
  }
  const { shape } = field;
  if (left === undefined || left === null) {
    // Items of one patch with the same key also merge with each other.
    return shape.kind === "list" && shape.mergeBy.length > 0
      ? mergeLists([], right, shape, options, path)
      : cloneValue(right);
  }
  if (field.mergeReplace) {
    return isMapping(right) && isEmpty(right, field) ? left : cloneValue(right);
  }
  switch (shape.kind) {
    case "struct":
    case "map":
      return mergeMappings(left, right, field, options, path);
    case "list":
      return mergeLists(left, right, shape, options, path);
    case "free":
      return mergeFree(left, right, options, path);
    case "scalar":
      if (shape.format === "url" && typeof left === "string" && typeof right === "string") {
        return mergeUrl(left, right);
      }
      return isUnset(right, field, options) ? left : right;
  }
}

/**
 * To Talos, an empty value counts as absent, since v1.12 not behind a pointer; `false` never does.
 */
function isUnset(right: YamlValue, field: Field, { talosMinor }: MergeOptions): boolean {
  const pointer = field.pointer && talosMinor >= 12;
  // Written in another way, it is the same value: a duration of 0 is "0s".
  return typeof right !== "boolean" && isEmpty(normalizeValue(right, field), { ...field, pointer });
}

function mergeMappings(
  left: YamlValue,
  right: YamlValue,
  field: Field,
  options: MergeOptions,
  path: Path,
): YamlValue {
  if (!isMapping(left) || !isMapping(right)) {
    return cloneValue(right);
  }
  const entries = new Map<string, YamlValue>(Object.entries(left));
  for (const [key, child] of Object.entries(right)) {
    const member = memberField(field, key);
    const merged =
      member === undefined
        ? cloneValue(child)
        : mergeValue(entries.get(key), child, member, options, [...path, key]);
    if (field.shape.kind === "map" && (merged === undefined || member?.mergeReplace === true)) {
      // A free key without a value exists, with an empty value.
      entries.set(key, cloneValue(child));
    } else if (merged !== undefined) {
      entries.set(key, merged);
    }
  }
  return Object.fromEntries(entries);
}

function mergeLists(
  left: YamlValue,
  right: YamlValue,
  shape: ListShape,
  options: MergeOptions,
  path: Path,
): YamlValue {
  if (!Array.isArray(left) || !Array.isArray(right)) {
    return cloneValue(right);
  }
  const items = [...left];
  for (const item of right) {
    const isNamesake = namesakes(item, shape);
    // A replaced item existed before the patch, and is the last one of its name.
    const index = shape.item.mergeReplace
      ? left.findLastIndex(isNamesake)
      : items.findIndex(isNamesake);
    if (index === -1) {
      items.push(cloneValue(item));
    } else if (shape.item.mergeReplace) {
      // An empty item replaces too, unlike an empty field.
      items[index] = cloneValue(item);
    } else {
      items[index] = mergeValue(items[index], item, shape.item, options, [...path, index]) ?? item;
    }
  }
  return items;
}

/**
 * The items with the same key as the patch's item. Of several possible keys, the first that the
 * patch's item has counts.
 */
function namesakes(
  item: YamlValue,
  { item: field, mergeBy }: ListShape,
): (candidate: YamlValue) => boolean {
  const [only] = mergeBy;
  const key =
    mergeBy.length === 1 ? only : mergeBy.find((name) => identity(item, name, field) !== "");
  if (key === undefined) {
    return () => false;
  }
  const wanted = identity(item, key, field);
  return (candidate) => identity(candidate, key, field) === wanted;
}

/** The identity of an item; empty without one. */
function identity(item: YamlValue, key: string, field: Field): string {
  const member = memberField(field, key);
  const value = isMapping(item) && member !== undefined ? normalizeValue(item[key], member) : "";
  return value === undefined || value === "" || value === 0 ? "" : JSON.stringify(value);
}

function mergeFree(
  left: YamlValue,
  right: YamlValue,
  options: MergeOptions,
  path: Path,
): YamlValue {
  if (describeType(left) !== describeType(right)) {
    options.report(
      path,
      `can't be merged: ${describeType(left)} in the configuration, ${describeType(right)} in the patch; delete it first, with "$patch: delete" in an earlier patch`,
    );
    return left;
  }
  if (isMapping(left) && isMapping(right)) {
    const entries = new Map<string, YamlValue>(Object.entries(left));
    for (const [key, child] of Object.entries(right)) {
      const present = entries.get(key);
      const merged =
        present === undefined || present === null
          ? cloneValue(child)
          : mergeFree(present, child, options, [...path, key]);
      entries.set(key, merged);
    }
    return Object.fromEntries(entries);
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return [...left, ...cloneValue(right)];
  }
  return right === "" || right === 0 ? left : right;
}

function describeType(value: YamlValue): string {
  if (value === null) {
    return "nothing";
  }
  if (Array.isArray(value)) {
    return "a list";
  }
  if (isMapping(value)) {
    return "a mapping";
  }
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** Each part of a URL merges by itself, so a patch can change the query and keep the rest. */
function mergeUrl(left: string, right: string): string {
  const [a, b] = [urlParts(left), urlParts(right)];
  if (a === undefined || b === undefined) {
    return right === "" ? left : right;
  }
  const [scheme = "", user = "", host = "", ...rest] = a.map(
    (part, index) => (b[index] ?? "") || part,
  );
  return `${scheme}${user === "" && host === "" ? "" : "//"}${user}${host}${rest.join("")}`;
}

/** Scheme, user, host, path, query and fragment, with their punctuation. Source: RFC 3986 B. */
function urlParts(url: string): readonly string[] | undefined {
  const match = /^([^:/?#]+:)?(?:\/\/([^/?#@]*@)?([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(url);
  return match?.slice(1).map((part: string | undefined) => part ?? "");
}

/** Merges two documents of the same identity. The result is not yet in Talos' normal form. */
export function mergeDocuments(
  left: ConfigDocument,
  right: ConfigDocument,
  field: Field,
  options: MergeOptions,
): ConfigDocument {
  const merged = mergeValue(left, right, field, options);
  return isMapping(merged) ? merged : left;
}
