import { isDeepStrictEqual } from "node:util";
import { isMapping } from "../provider/base";
import type { Properties } from "./previewedResource";

/** A changed value of a machine's configuration. */
export interface ChangedLine {
  /** Its path: `machine`, `sysctls`, `net.core.somaxconn`. */
  readonly path: readonly string[];
  /** The former value; undefined without one. */
  readonly before: unknown;
  /** The new value; undefined without one. */
  readonly after: unknown;
}

/** The differences between two mappings, down to single values, in the order of their keys. */
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
      // An empty mapping has no lines to show.
      if (!isEmptied(old) && !isEmptied(now) && isMappingOrNone(old) && isMappingOrNone(now)) {
        return lineDiff(old ?? {}, now ?? {}, here);
      }
    }
    return [{ path: here, before: old, after: now }];
  });
}

function isMappingOrNone(value: unknown): value is Properties | undefined {
  return value === undefined || isMapping(value);
}
