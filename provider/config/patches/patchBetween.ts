import { isDeepStrictEqual } from "node:util";
import {
  type ConfigDocument,
  documentId,
  identityOf,
  isMapping,
  type YamlValue,
} from "../machineConfig";
import { withValue } from "../settings/keyPaths";

/** A place in which two configurations differ. Lists count as one place. */
export interface Difference {
  /** The document's `apiVersion`, `kind` and `name`; nothing for the machine configuration proper. */
  readonly document: ConfigDocument;
  /** Keys in the document; none for a document that only one configuration has. */
  readonly path: readonly string[];
  /** What the former configuration has there; undefined for nothing. */
  readonly former: YamlValue | undefined;
  /** What the latter has there; undefined for nothing. */
  readonly latter: YamlValue | undefined;
}

/**
 * The places in which configurations differ, in key order.
 *
 * @param former documents in Talos' normal form (`normalizeDocument`), as `latter`
 */
export function differencesBetween(
  former: readonly ConfigDocument[],
  latter: readonly ConfigDocument[],
): readonly Difference[] {
  const ids = [...new Set([...former, ...latter].map(documentId))];
  return ids.flatMap((id) => {
    const [before, after] = [former, latter].map((documents) =>
      documents.find((document) => documentId(document) === id),
    );
    const known = before ?? after ?? {};
    const document = known.kind === undefined ? {} : identityOf(known);
    return before === undefined || after === undefined
      ? [{ document, path: [], former: before, latter: after }]
      : differencesIn(before, after, []).map((each) => ({ document, ...each }));
  });
}

/**
 * Strategic merge patches that turn the former configuration into the latter, to be applied one after
 * the other. What such patches can't say is missing, so the result must be compared.
 */
export function patchesOf(differences: readonly Difference[]): readonly ConfigDocument[][] {
  const deleted = differences.filter(
    ({ former, latter }) =>
      former !== undefined && (latter === undefined || !isMerged(former, latter)),
  );
  const set = differences.filter(({ latter }) => latter !== undefined);
  return [
    documentsOf(deleted, () => ({ $patch: "delete" })),
    documentsOf(set, ({ latter }) => latter ?? {}),
  ].filter((documents) => documents.length > 0);
}

/**
 * Whether a merge replaces a value (`mergeValue`): lists are joined, parts of URLs too, and an empty value
 * replaces none.
 */
function isMerged(former: YamlValue, latter: YamlValue): boolean {
  const isEmpty = latter === 0 || latter === "";
  const isUrl = typeof former === "string" && former.includes("://");
  return !isEmpty && !isUrl && [former, latter].every((value) => typeof value !== "object");
}

function differencesIn(
  former: ConfigDocument,
  latter: ConfigDocument,
  path: readonly string[],
): readonly Omit<Difference, "document">[] {
  const keys = [...new Set([...Object.keys(former), ...Object.keys(latter)])].sort();
  return keys.flatMap((key) => {
    // Talos writes some fields that are not set as null.
    const [before, after] = [former, latter].map((each) =>
      Object.hasOwn(each, key) ? (each[key] ?? undefined) : undefined,
    );
    const here = [...path, key];
    if (isDeepStrictEqual(before, after)) {
      return [];
    }
    return isMapping(before) && isMapping(after)
      ? differencesIn(before, after, here)
      : [{ path: here, former: before, latter: after }];
  });
}

function documentsOf(
  differences: readonly Difference[],
  valueOf: (difference: Difference) => YamlValue,
): ConfigDocument[] {
  const byId = new Map<string, ConfigDocument>();
  for (const difference of differences) {
    const { document, path } = difference;
    const id = documentId(document);
    const value = valueOf(difference);
    const whole = isMapping(value) ? { ...document, ...value } : document;
    byId.set(id, path.length === 0 ? whole : withValue(byId.get(id) ?? document, path, value));
  }
  return [...byId.values()];
}
