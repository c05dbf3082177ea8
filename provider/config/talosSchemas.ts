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
const newestMinor = Math.max(...talosSchemas.keys());

/**
 * The problem of a Talos release (`v1.12.1`, or only the minor: `v1.12`); undefined if this package
 * has its schema. By the rules of another minor, a configuration would be judged wrongly in silence.
 */
export function checkTalosVersion(talosVersion: string): string | undefined {
  const minor = talosMinor(talosVersion);
  if (minor !== undefined && talosSchemas.has(minor)) {
    return undefined;
  }
  const known = `v1.${oldestMinor} to v1.${newestMinor}`;
  return minor !== undefined && minor > newestMinor
    ? `Talos "${talosVersion}" is newer than this release of pulumi-talos-aws, which knows ${known}: install a newer release of the package, or write a release of these`
    : `Talos "${talosVersion}" is not supported: write a release of ${known}, like "v1.12.1"`;
}

/**
 * The schema of a Talos release.
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
 * `machine.install.image` (`…:v1.12.1`), else the newest known one. `checkInstaller` reports a
 * release that this package doesn't know.
 */
export function schemaOfDocuments(documents: readonly ConfigDocument[]): ConfigSchema {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  const release = releaseOfInstaller(textAt(valueAt(config, ["machine", "install"]), "image"));
  return release !== undefined && checkTalosVersion(release) === undefined
    ? talosSchema(release)
    : newestSchema;
}

/** The Talos release in the tag of an installer; undefined if it names none. */
export function releaseOfInstaller(image = ""): string | undefined {
  return /:(v\d+\.\d+[^:@/]*)(?:@.*)?$/.exec(image)?.[1];
}
