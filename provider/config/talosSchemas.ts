import { ConfigError } from "./configError";
import { ConfigSchema } from "./configSchema";
import { type ConfigDocument, documentId, textAt } from "./machineConfig";
import { valueAt } from "./quote";
import schemaV110 from "./schema/v1.10.json";
import schemaV111 from "./schema/v1.11.json";
import schemaV112 from "./schema/v1.12.json";
import schemaV113 from "./schema/v1.13.json";
import { talosMinor } from "./talosMinor";

/**
 * The default schema for a configuration without a known Talos: that of the newest supported
 * release, which has the most documents.
 */
export const newestSchema = new ConfigSchema(schemaV113);

/** The schema of each Talos minor (13 is v1.13), oldest first. A new one is a row here. */
export const talosSchemas: ReadonlyMap<number, ConfigSchema> = new Map([
  [10, new ConfigSchema(schemaV110)],
  [11, new ConfigSchema(schemaV111)],
  [12, new ConfigSchema(schemaV112)],
  [13, newestSchema],
]);

const oldestMinor = Math.min(...talosSchemas.keys());

/**
 * The problem of a Talos release (`v1.12.1`, or only the minor: `v1.12`); undefined if this package
 * has its schema, or if it is newer.
 */
export function checkTalosVersion(talosVersion: string): string | undefined {
  return (talosMinor(talosVersion) ?? -1) >= oldestMinor
    ? undefined
    : `Talos "${talosVersion}" is not supported: write a release of v1.${oldestMinor} or newer, like "v1.12.1"`;
}

/**
 * The schema of a Talos release. A release that is newer than this package gets the newest known
 * schema.
 *
 * @throws ConfigError for a release that `checkTalosVersion` refuses
 */
export function talosSchema(talosVersion: string): ConfigSchema {
  const message = checkTalosVersion(talosVersion);
  if (message !== undefined) {
    throw new ConfigError([{ document: "", path: "talosVersion", message }]);
  }
  return talosSchemas.get(talosMinor(talosVersion) ?? oldestMinor) ?? newestSchema;
}

/**
 * The schema of the Talos that a configuration installs: the release in the tag of
 * `machine.install.image` (`…:v1.12.1`), else the newest known one.
 */
export function schemaOfDocuments(documents: readonly ConfigDocument[]): ConfigSchema {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  const image = textAt(valueAt(config, ["machine", "install"]), "image");
  const release = /:(v[^:@/]+)(?:@.*)?$/.exec(image ?? "")?.[1];
  return release !== undefined && checkTalosVersion(release) === undefined
    ? talosSchema(release)
    : newestSchema;
}
