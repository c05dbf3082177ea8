import { ConfigError } from "./configError";
import { ConfigSchema } from "./configSchema";
import schemaV110 from "./schema/v1.10.json";
import schemaV111 from "./schema/v1.11.json";
import schemaV112 from "./schema/v1.12.json";
import schemaV113 from "./schema/v1.13.json";
import { talosMinor } from "./talosMinor";

/**
 * What a configuration is read by when nobody says which Talos it is for: the newest release this
 * package describes, which knows the most documents.
 */
export const newestSchema = new ConfigSchema(schemaV113);

/** The documents that each Talos minor (13 is v1.13) reads, oldest first. A new one is a row here. */
export const talosSchemas: ReadonlyMap<number, ConfigSchema> = new Map([
  [10, new ConfigSchema(schemaV110)],
  [11, new ConfigSchema(schemaV111)],
  [12, new ConfigSchema(schemaV112)],
  [13, newestSchema],
]);

const oldestMinor = Math.min(...talosSchemas.keys());

/**
 * What is wrong with a Talos release (`v1.12.1`, or the minor alone: `v1.12`); undefined when it is
 * one whose documents this package describes, or a newer one.
 */
export function checkTalosVersion(talosVersion: string): string | undefined {
  return (talosMinor(talosVersion) ?? -1) >= oldestMinor
    ? undefined
    : `Talos "${talosVersion}" is not supported: write a release of v1.${oldestMinor} or newer, like "v1.12.1"`;
}

/**
 * The documents and fields that a Talos release reads. A release newer than this package is read by
 * the newest it knows.
 *
 * @throws ConfigError for a release that `checkTalosVersion` does not take
 */
export function talosSchema(talosVersion: string): ConfigSchema {
  const message = checkTalosVersion(talosVersion);
  if (message !== undefined) {
    throw new ConfigError([{ document: "", path: "talosVersion", message }]);
  }
  return talosSchemas.get(talosMinor(talosVersion) ?? oldestMinor) ?? newestSchema;
}
