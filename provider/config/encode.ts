import type { ConfigSchema } from "./configSchema";
import type { ConfigDocument, YamlValue } from "./machineConfig";
import { newestSchema } from "./talosSchemas";
import { YamlReader } from "./yamlReader";
import { YamlWriter } from "./yamlWriter";

/**
 * Documents as YAML text in Talos' own style: four spaces, keys in the order given, documents
 * separated by `---`. What Talos v1.12.1 writes comes out the same to the byte after
 * `encodeDocuments(decodeDocuments(text))`; comments do not stay.
 *
 * @param schema what the Talos that writes them knows. Default: the newest
 */
export function encodeDocuments(
  documents: readonly ConfigDocument[],
  schema: ConfigSchema = newestSchema,
): string {
  return documents
    .map((document) => YamlWriter.write(document, schema.document(kindOf(document))))
    .join("---\n");
}

/**
 * The documents of a YAML text, read as Talos reads them; empty documents are left out.
 *
 * @param schema what the Talos that reads them knows. Default: the newest
 * @throws ConfigError listing line and reason of everything that is not YAML. Never quotes the
 * text, which can be a secret
 */
export function decodeDocuments(
  text: string,
  schema: ConfigSchema = newestSchema,
): ConfigDocument[] {
  return YamlReader.read(text, schema);
}

/**
 * The items of a YAML or JSON text that is one list.
 *
 * @throws ConfigError as `decodeDocuments` does
 */
export function decodeList(text: string): YamlValue[] {
  return YamlReader.readList(text, newestSchema);
}

function kindOf(document: ConfigDocument): string {
  return typeof document.kind === "string" ? document.kind : "";
}
