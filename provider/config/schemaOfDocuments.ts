import type { ConfigSchema } from "./configSchema";
import { type ConfigDocument, documentId, textAt } from "./machineConfig";
import { valueAt } from "./quote";
import { checkTalosVersion, newestSchema, talosSchema } from "./talosSchemas";

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
