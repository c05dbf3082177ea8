import { createHash } from "node:crypto";
import { memoized } from "./frozenMemo";
import { type ConfigDocument, documentId, isMapping, type YamlValue } from "./machineConfig";
import { normalizeDocument } from "./schema/normalize";

/**
 * SHA-256, in hex, of the documents' content. Documents that Talos reads alike have the same hash:
 * the order of keys and documents, empty fields and notations of a value do not matter. The order
 * of lists does.
 *
 * @param normal their normal forms, if known
 */
export function hashDocuments(
  documents: readonly ConfigDocument[],
  normal: readonly ConfigDocument[] = documents.map((document) => normalizeDocument(document)),
): string {
  const canonical = documents
    .map((document, index) => ({
      id: documentId(document),
      text: canonicalText(normal[index] ?? document),
    }))
    .sort((a, b) => compare(a.id, b.id) || compare(a.text, b.text));
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
}

/** JSON with mappings as lists of entries in key order. Objects would put numeric keys first. */
const canonicalText = memoized((value: YamlValue): string => {
  if (Array.isArray(value)) {
    return `["list"${value.map((item) => `,${canonicalText(item)}`).join("")}]`;
  }
  if (!isMapping(value)) {
    return JSON.stringify(value);
  }
  const entry = (key: string) => `,[${JSON.stringify(key)},${canonicalText(value[key] ?? null)}]`;
  return `["mapping"${Object.keys(value).sort(compare).map(entry).join("")}]`;
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A configuration's text with a known content hash, so it need not be parsed. */
export interface KnownText {
  /** `fingerprintText` of it. */
  readonly fingerprint: string;
  /** SHA-256, hex, of its content: see `hashDocuments`. */
  readonly hash: string;
}

/** Identifies a text: 128 bits of its SHA-256, in hex. */
export function fingerprintText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
