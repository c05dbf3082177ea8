import { isDeepStrictEqual } from "node:util";
import { isMapping, type YamlValue } from "../machineConfig";
import { valueAt } from "../secrets/quote";

/**
 * The places in which two outlines of configurations differ (`outlineDocuments`), as key paths in
 * key order. A list counts as one place.
 */
export function changedPaths(
  before: YamlValue | undefined,
  after: YamlValue | undefined,
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
    .flatMap((key) => changedPaths(valueAt(before, [key]), valueAt(after, [key]), [...path, key]));
}
