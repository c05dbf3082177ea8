import { ConfigError } from "./configError";
import { ConfigSchema } from "./configSchema";
import schemaV110 from "./schema/v1.10.json";
import schemaV111 from "./schema/v1.11.json";
import schemaV112 from "./schema/v1.12.json";
import schemaV113 from "./schema/v1.13.json";

/**
 * What a configuration is read by when nobody says which Talos it is for: the newest release this
 * package describes, which knows the most documents.
 */
export const newestSchema = new ConfigSchema(schemaV113);

/** The documents that each Talos minor reads, oldest first. A new one is a row here. */
const schemas: ReadonlyMap<number, ConfigSchema> = new Map([
  [10, new ConfigSchema(schemaV110)],
  [11, new ConfigSchema(schemaV111)],
  [12, new ConfigSchema(schemaV112)],
  [13, newestSchema],
]);

/**
 * The documents and fields that a Talos release (`v1.12.1`, or the minor alone: `v1.12`) reads. A
 * release newer than this package is read by the newest it knows.
 *
 * @throws ConfigError for a release that is older than the oldest described, or no release at all
 */
export function talosSchema(talosVersion: string): ConfigSchema {
  const minor = Number(/^v?1\.(\d+)(?:\.|$)/.exec(talosVersion)?.[1]);
  const known = schemas.get(minor);
  if (known !== undefined) {
    return known;
  }
  const minors = [...schemas.keys()];
  if (minor > Math.max(...minors)) {
    return newestSchema;
  }
  throw new ConfigError([
    {
      document: "",
      path: "talosVersion",
      message: `Talos "${talosVersion}" is not supported: write a release of v1.${Math.min(...minors)} or newer, like "v1.12.1"`,
    },
  ]);
}
