import type { ConfigDocument, YamlValue } from "../machineConfig";
import type { ConfigSchema } from "../schema/configSchema";
import { newestSchema, schemaOfDocuments } from "../schema/talosSchemas";
import { yamlDialect } from "./yamlQuoting";
import { YamlReader } from "./yamlReader";
import { YamlWriter } from "./yamlWriter";

/**
 * Documents as YAML text in Talos' own style: four spaces, keys in the given order, documents
 * separated by `---`. For text that the schema's Talos wrote,
 * `encodeDocuments(decodeDocuments(text))` returns the same bytes, except comments.
 *
 * @param schema of the Talos that writes them. Default: of the one that the documents install
 */
export function encodeDocuments(
  documents: readonly ConfigDocument[],
  schema: ConfigSchema = schemaOfDocuments(documents),
): string {
  const dialect = yamlDialect(schema.talosMinor);
  return documents
    .map((document) => YamlWriter.write(document, schema.fieldOf(document), dialect))
    .join("---\n");
}

/**
 * The documents of a YAML text, as Talos reads them. Empty documents are left out.
 *
 * @param schema of the Talos that reads them. Default: the newest
 * @throws ConfigError with the line and reason of everything that is not YAML. It never quotes the
 *   text, which may be a secret
 */
export function decodeDocuments(
  text: string,
  schema: ConfigSchema = newestSchema,
): ConfigDocument[] {
  return new YamlReader(schema).documents(text);
}

/**
 * The items of a YAML or JSON text that contains one list.
 *
 * @throws ConfigError as `decodeDocuments` does
 */
export function decodeList(text: string): YamlValue[] {
  return new YamlReader(newestSchema).list(text);
}
