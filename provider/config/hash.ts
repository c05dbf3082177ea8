import { createHash } from "node:crypto";
import {
  cloneValue,
  type ConfigDocument,
  documentId,
  isMapping,
  textAt,
  type YamlValue,
} from "./machineConfig";
import { normalizeDocument } from "./normalize";
import { newestSchema } from "./talosSchemas";

/**
 * SHA-256, in hex, of what documents mean. The same for documents that Talos reads alike: the order
 * of keys and documents, empty fields and ways to write a value do not count; the order of lists
 * does.
 */
export function hashDocuments(documents: readonly ConfigDocument[]): string {
  const canonical = documents
    .map((document) => {
      const field = newestSchema.document(textAt(document, "kind") ?? "");
      const normal =
        field === undefined ? cloneValue(document) : normalizeDocument(document, field);
      return { id: documentId(document), text: JSON.stringify(sortKeys(normal)) };
    })
    .sort((a, b) => compare(a.id, b.id) || compare(a.text, b.text));
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex");
}

/** Mappings as lists of entries by key, as objects put keys that are numbers first. */
function sortKeys(value: YamlValue): YamlValue {
  if (Array.isArray(value)) {
    return ["list", ...value.map(sortKeys)];
  }
  if (!isMapping(value)) {
    return value;
  }
  const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
  return ["mapping", ...entries.map(([key, child]) => [key, sortKeys(child)])];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
