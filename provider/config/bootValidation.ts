import type { ConfigProblem } from "./configError";
import {
  type ConfigDocument,
  documentId,
  isMapping,
  textAt,
  type YamlValue,
} from "./machineConfig";
import { formatPath, type Path } from "./path";
import { talosMinor } from "./releases/talosMinor";
import { type Field, itemField, memberField } from "./schema/configSchema";
import { talosSchemas } from "./schema/talosSchemas";
import { installerWithVersion } from "./talosSystem";
import { validateDocuments } from "./validate";

/**
 * The first Talos minor that judges the configuration on its disk at every boot. A machine whose
 * configuration it refuses has no API, and no way back by itself. Source: talos v1.14.1,
 * `controllers/config/acquire.go`, `loadConfigFromDisk`; not in v1.12.1.
 */
const FIRST_JUDGING_MINOR = 14;

/**
 * What another Talos would refuse in a machine's configuration when it boots with it, each with its
 * place. Empty for a Talos that accepts at boot what a former one has accepted. Only what the running
 * Talos allows and the next one doesn't counts: the rules here are stricter than Talos in details, and
 * a configuration may come from elsewhere. Nulls in lists count always, because older loaders take
 * them. No secret is quoted.
 *
 * @param documents what the machine keeps for its next boot
 * @param running the release that it runs
 * @param next the release that it would boot
 * @param options.imagesFollow whether the images that the next Talos doesn't support change before it.
 *   Default: false
 */
export function refusedAtBoot(
  documents: readonly ConfigDocument[],
  running: string,
  next: string,
  { imagesFollow = false } = {},
): readonly string[] {
  const [from = 0, to = 0] = [talosMinor(running), talosMinor(next)];
  const [former, schema] = [talosSchemas.get(from), talosSchemas.get(to)];
  if (to < FIRST_JUDGING_MINOR || former === undefined || schema === undefined) {
    return [];
  }
  const known = new Set(
    validateDocuments(readBy(documents, running), { schema: former }).map(described),
  );
  const problems = validateDocuments(readBy(documents, next), { schema })
    .filter(({ path }) => !imagesFollow || !IMAGE.test(path))
    .map(described);
  const nulls = documents.flatMap((document) =>
    nullItems(document, schema.fieldOf(document), []).map((path) =>
      described({
        document: documentId(document),
        path: formatPath(path),
        message: "is null, which is no item of a list",
      }),
    ),
  );
  return [...problems.filter((each) => !known.has(each)), ...nulls];
}

/** What another Talos refuses, and what to do. */
export function describeRefused(refused: readonly string[], running: string, next: string): string {
  return `Talos ${next} would refuse the configuration that the machine keeps, and have no API then: ${refused.join("; ")}. Correct that with Talos ${running} in an update of its own, then change to ${next}`;
}

/** The documents with the installer of a release, because rules for images go by that. */
function readBy(documents: readonly ConfigDocument[], version: string): readonly ConfigDocument[] {
  if (documents.some(({ kind }) => kind === "UnattendedInstallConfig")) {
    return documents;
  }
  return documents.map((document) => {
    const { machine } = document;
    if (documentId(document) !== "v1alpha1" || !isMapping(machine)) {
      return document;
    }
    const install = isMapping(machine.install) ? machine.install : {};
    const image = installerWithVersion(textAt(install, "image") ?? "", version);
    return {
      ...document,
      machine: { ...machine, install: { ...install, image: image ?? `installer:${version}` } },
    };
  });
}

/** The place of an image. */
const IMAGE = /\bimage$/;

function described({ document, path, message }: ConfigProblem): string {
  const place = document === "v1alpha1" ? path : [document, path].filter(Boolean).join(" ");
  return place === "" ? message : `${place} ${message}`;
}

/**
 * The places of nulls that Talos would read as an item without content. Source: talos v1.14.1,
 * `configloader/internal/decoder`, which refuses them where an item is a pointer.
 */
function nullItems(value: YamlValue, field: Field | undefined, path: Path): Path[] {
  const within = (each: YamlValue, key: string | number, item: Field | undefined) =>
    each === null && item?.pointer === true
      ? [[...path, key]]
      : nullItems(each, item, [...path, key]);
  if (Array.isArray(value)) {
    return value.flatMap((each, index) => within(each, index, itemField(field)));
  }
  if (!isMapping(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, each]) => {
    const member = memberField(field, key);
    return field?.shape.kind === "map"
      ? within(each, key, member)
      : nullItems(each, member, [...path, key]);
  });
}
