import { createHash } from "node:crypto";
import { type ConfigDocument, documentId, isMapping, type YamlValue } from "./machineConfig";
import { MadeOnce } from "./madeOnce";
import { normalizeDocument } from "./normalize";

/**
 * SHA-256, in hex, of what documents mean. The same for documents that Talos reads alike: the order
 * of keys and documents, empty fields and ways to write a value do not count; the order of lists
 * does.
 *
 * @param normal their normal forms, where those are known already
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

/** JSON, with mappings as lists of entries by key, as objects put keys that are numbers first. */
function canonicalText(value: YamlValue): string {
  return canonicalTexts.get(value, [], () => makeCanonicalText(value));
}

const canonicalTexts = new MadeOnce<string>();

function makeCanonicalText(value: YamlValue): string {
  if (Array.isArray(value)) {
    return `["list"${value.map((item) => `,${canonicalText(item)}`).join("")}]`;
  }
  if (!isMapping(value)) {
    return JSON.stringify(value);
  }
  const entry = (key: string) => `,[${JSON.stringify(key)},${canonicalText(value[key] ?? null)}]`;
  return `["mapping"${Object.keys(value).sort(compare).map(entry).join("")}]`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
