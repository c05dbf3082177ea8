import { inputsOf, nameProperty, wasFilledIn } from "./check";
import { Inputs } from "./inputs";
import { meansTheSame, type Property, type PropertyTable } from "./propertyTable";
import type { ResourceKind } from "./resourceKind";
import { mergedTags } from "./tags";
import { containsUnknown, isObject, type Value, type Values } from "./value";

/** One property that differs. */
export interface PropertyChange {
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
  /** True when the inputs differ, false when the live state differs from the inputs. */
  readonly inputDiffers: boolean;
}

/** The difference between the existing resource and the wanted one. */
export interface ResourceDiff {
  /** By property path: `rootBlockDevice.volumeType`, `defaultActions[0].type`. */
  readonly changes: Readonly<Record<string, PropertyChange>>;
  readonly deleteBeforeReplace: boolean;
}

/** Compares checked inputs with those of the last update by the AWS provider's rules. */
export function diffResource(
  kind: ResourceKind,
  before: { readonly inputs: Values; readonly state: Values },
  news: Values,
  defaultTags: Readonly<Record<string, string>>,
): ResourceDiff {
  const table = inputsOf(kind);
  const changes: Record<string, PropertyChange> = {};
  for (const [name, property] of Object.entries(table)) {
    const replaces =
      property.replaces === true ||
      kind.replacesOn?.(name, new Inputs(before.inputs), new Inputs(news)) === true;
    compare(
      name,
      { ...property, replaces },
      formerValue(property, before.inputs[name], before.state[name], news[name]),
      news[name],
      changes,
    );
  }
  if (kind.tagging !== undefined && !Object.keys(changes).some((path) => path.startsWith("tags"))) {
    const wanted = mergedTags(defaultTags, new Inputs(news).map("tags"));
    if (!containsUnknown(news.tags) && !sameTags(before.state.tagsAll, wanted)) {
      changes.tagsAll = { kind: "update", replaces: false, inputDiffers: false };
    }
  }
  for (const output of kind.reopens?.(topLevel(Object.keys(changes)), new Inputs(news)) ?? []) {
    changes[output] ??= { kind: "update", replaces: false, inputDiffers: false };
  }
  const name = nameProperty(kind);
  const nameIsFixed =
    kind.autoname !== undefined && !wasFilledIn(news, name) && news[name] !== undefined;
  return {
    changes,
    deleteBeforeReplace:
      Object.values(changes).some((change) => change.replaces) &&
      (kind.exclusive === true || (nameIsFixed && changes[name] === undefined)),
  };
}

/**
 * The former value of a property. Where the program gave none and AWS chose, it is what AWS chose, so a
 * program that says the same later changes nothing. Of a block, that holds of each wanted field.
 */
function formerValue(
  property: Property,
  given: Value | undefined,
  live: Value | undefined,
  wanted: Value | undefined,
): Value | undefined {
  const { fields, computed = false } = property;
  const before = given ?? undefined;
  if (fields === undefined || property.type !== "block") {
    return before ?? (computed && fields === undefined ? (live ?? undefined) : undefined);
  }
  if (!isObject(live) || !isObject(wanted) || (before === undefined && !computed)) {
    return before;
  }
  const known = isObject(before) ? before : {};
  const chosen = Object.keys(wanted).flatMap((name): [string, Value][] => {
    const field = fields[name];
    const value =
      field &&
      formerValue(
        before === undefined ? { ...field, computed: true } : field,
        known[name],
        live[name],
        wanted[name],
      );
    return value === undefined ? [] : [[name, value]];
  });
  return { ...known, ...Object.fromEntries(chosen) };
}

/** The provider takes an empty text or list for one that is left out. */
function isBlank(value: Value | undefined): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** Names of the top-level properties that differ. */
export function changedProperties(diff: ResourceDiff): string[] {
  return topLevel(Object.keys(diff.changes));
}

/** Names of the top-level properties whose change needs a replacement. */
export function replacingProperties(diff: ResourceDiff): string[] {
  return topLevel(
    Object.keys(diff.changes).filter((path) => diff.changes[path]?.replaces === true),
  );
}

function topLevel(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => /^[^.[]+/.exec(path)?.[0] ?? path))];
}

function sameTags(live: Value | undefined, wanted: Record<string, string>): boolean {
  return meansTheSame({ type: "map" }, live ?? {}, wanted);
}

function compare(
  path: string,
  property: Property,
  before: Value | undefined,
  after: Value | undefined,
  changes: Record<string, PropertyChange>,
): void {
  const was = before ?? undefined;
  const is = after ?? undefined;
  const isSame = meansTheSame(property, was, is) || (isBlank(was) && isBlank(is));
  if (isSame && !containsUnknown(is)) {
    return;
  }
  if (is === undefined) {
    if (property.computed !== true) {
      const replaces = property.replaces === true || replacesInside(property, was);
      changes[path] = { kind: "delete", replaces, inputDiffers: true };
    }
    return;
  }
  const inside = comparableParts(path, property, was, is);
  if (inside === undefined) {
    changes[path] = {
      kind: was === undefined ? "add" : "update",
      replaces: property.replaces === true || replacesInside(property, is),
      inputDiffers: true,
    };
    return;
  }
  for (const part of inside) {
    compare(part.path, part.property, part.was, part.is, changes);
  }
}

interface Part {
  readonly path: string;
  readonly property: Property;
  readonly was: Value | undefined;
  readonly is: Value | undefined;
}

/** The parts of a block, map or list of blocks to compare one by one; undefined: compare whole. */
function comparableParts(
  path: string,
  property: Property,
  was: Value | undefined,
  is: Value,
): Part[] | undefined {
  const { fields } = property;
  if (isObject(was) && isObject(is)) {
    if (property.type === "map") {
      return union(was, is).map((key) => ({
        path: `${path}${keyPath(key)}`,
        property: { type: "string", replaces: property.replaces === true },
        was: was[key],
        is: is[key],
      }));
    }
    return fields === undefined ? undefined : blockParts(path, fields, was, is);
  }
  if (property.type !== "blocks" || fields === undefined || !Array.isArray(is)) {
    return undefined;
  }
  if (property.key !== undefined) {
    return keyedParts(path, property, Array.isArray(was) ? was : [], is);
  }
  if (property.unordered !== true && Array.isArray(was)) {
    return Array.from({ length: Math.max(was.length, is.length) }, (_, index) => ({
      path: `${path}[${index}]`,
      property: { type: "block", fields },
      was: was[index],
      is: is[index],
    }));
  }
  return undefined;
}

/** Matches items by key, whatever their position. */
function keyedParts(
  path: string,
  { fields = {}, key = "" }: Property,
  was: readonly Value[],
  is: readonly Value[],
): Part[] {
  const keyOf = (item: Value | undefined) => (isObject(item) ? item[key] : undefined);
  const gone = was.filter((item) => !is.some((other) => keyOf(other) === keyOf(item)));
  return [
    ...is.map((item) => ({ was: was.find((other) => keyOf(other) === keyOf(item)), is: item })),
    ...gone.map((item) => ({ was: item, is: undefined })),
  ].map((pair, index) => ({
    path: `${path}[${index}]`,
    property: { type: "block", fields },
    ...pair,
  }));
}

function blockParts(path: string, fields: PropertyTable, was: Values, is: Values): Part[] {
  return Object.entries(fields).map(([name, field]) => ({
    path: `${path}.${name}`,
    property: field,
    was: was[name],
    is: is[name],
  }));
}

/** Whether an added or removed block has a field whose change needs a replacement. */
function replacesInside(property: Property, value: Value | undefined): boolean {
  const { fields } = property;
  return (
    fields !== undefined &&
    isObject(value) &&
    Object.keys(value).some((name) => fields[name]?.replaces === true)
  );
}

function union(a: Values, b: Values): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

function keyPath(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `["${key}"]`;
}
