import { ConfigError } from "../configError";
import { schemaFiles } from "../gen/schemaFiles";
import type { ConfigDocument } from "../machineConfig";
import { NEWEST_ACCEPTED_MINOR } from "../releases/acceptedTalos";
import { NEWEST_RELEASES } from "../releases/newestReleases";
import { talosMinor } from "../releases/talosMinor";
import { installerIn } from "../settings/installer";
import { ConfigSchema } from "./configSchema";

/**
 * The schema of each Talos minor (13 is v1.13), oldest first. `npm run adopt` adds a new one. Those above
 * `NEWEST_ACCEPTED_MINOR` are for tests, and for documents of unknown origin.
 */
export const talosSchemas: ReadonlyMap<number, ConfigSchema> = new Map(
  schemaFiles.map((file) => {
    const schema = new ConfigSchema(file);
    return [schema.talosMinor, schema] as const;
  }),
);

const [oldestMinor = NEWEST_ACCEPTED_MINOR] = talosSchemas.keys();

/**
 * The schema with the most documents and fields, for documents of any release: every release keeps
 * those of the one before.
 */
export const widestSchema = schemaOf(Math.max(...talosSchemas.keys()));

/** The default schema for a configuration without a known Talos: that of the newest accepted one. */
export const newestSchema = schemaOf(NEWEST_ACCEPTED_MINOR);

function schemaOf(minor: number): ConfigSchema {
  const schema = talosSchemas.get(minor);
  if (schema === undefined) {
    throw new Error(`there is no schema of Talos v1.${minor}`);
  }
  return schema;
}

/**
 * The problem of a Talos release (`v1.12.1`, or only the minor: `v1.12`); undefined if this package
 * supports it. By the rules of another minor, a configuration would be judged wrongly in silence.
 */
export function checkTalosVersion(talosVersion: string): string | undefined {
  const minor = talosMinor(talosVersion);
  if (minor !== undefined && minor <= NEWEST_ACCEPTED_MINOR && talosSchemas.has(minor)) {
    return undefined;
  }
  const known = `v1.${oldestMinor} to v1.${NEWEST_ACCEPTED_MINOR}`;
  return minor !== undefined && minor > NEWEST_ACCEPTED_MINOR
    ? `Talos "${talosVersion}" is newer than this release of pulumi-talos-aws, which knows ${known}: install a newer release of the package, or write a release of these`
    : `Talos "${talosVersion}" is not supported: write a release of ${known}, like "${NEWEST_RELEASES.talosVersion}"`;
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
 * The schema of the Talos that a configuration installs: the release in the tag of its installer
 * (`…:v1.12.1`), else the newest known one. `checkInstaller` reports a release that this package
 * doesn't know.
 */
export function schemaOfDocuments(documents: readonly ConfigDocument[]): ConfigSchema {
  const release = releaseOfInstaller(installerIn(documents));
  return release !== undefined && checkTalosVersion(release) === undefined
    ? talosSchema(release)
    : newestSchema;
}

/** The Talos release in the tag of an installer; undefined if it names none. */
export function releaseOfInstaller(image = ""): string | undefined {
  return /:(v\d+\.\d+[^:@/]*)(?:@.*)?$/.exec(image)?.[1];
}
