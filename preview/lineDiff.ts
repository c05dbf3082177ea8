import { isDeepStrictEqual } from "node:util";
import type { Properties } from "./previewedResource";

/** One thing that changes in a machine's configuration. */
export interface ChangedLine {
  /** Where, by the keys on the way: `machine`, `sysctls`, `net.core.somaxconn`. */
  readonly path: readonly string[];
  /** What was there; undefined where nothing was. */
  readonly before: unknown;
  /** What will be there; undefined where nothing will be. */
  readonly after: unknown;
}

/** What changes between two mappings, down to the single values, in the order of their keys. */
export function lineDiff(
  before: Properties,
  after: Properties,
  path: readonly string[] = [],
): readonly ChangedLine[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key): readonly ChangedLine[] => {
    const [old, now] = [before[key], after[key]];
    if (isDeepStrictEqual(old, now)) {
      return [];
    }
    const here = [...path, key];
    if (isMapping(old) || isMapping(now)) {
      const isEmptied = (value: unknown) => isMapping(value) && Object.keys(value).length === 0;
      // A mapping without keys has no lines of its own to tell of.
      if (!isEmptied(old) && !isEmptied(now) && isMappingOrNone(old) && isMappingOrNone(now)) {
        return lineDiff(old ?? {}, now ?? {}, here);
      }
    }
    return [{ path: here, before: old, after: now }];
  });
}

function isMapping(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMappingOrNone(value: unknown): value is Properties | undefined {
  return value === undefined || isMapping(value);
}
