import { isDeepStrictEqual } from "node:util";

/**
 * The places in which two outlines of configurations differ (`outlineDocuments`), as key paths in
 * key order. A list counts as one place.
 */
export function changedPaths(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  if (isDeepStrictEqual(before, after)) {
    return [];
  }
  const sides = [before, after].filter((each) => each !== undefined);
  const mappings = sides.filter(isMapping);
  const keys = new Set(mappings.flatMap((each) => Object.keys(each)));
  if (mappings.length < sides.length || keys.size === 0) {
    return [path];
  }
  return [...keys]
    .sort()
    .flatMap((key) => changedPaths(valueAt(before, key), valueAt(after, key), [...path, key]));
}

function valueAt(value: unknown, key: string): unknown {
  return isMapping(value) ? value[key] : undefined;
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
