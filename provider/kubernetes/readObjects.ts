import { parseAllDocuments, type Tags } from "yaml";
import { isMapping } from "../base/mapping";
import { kubernetesRemovals } from "../config/releases/kubernetesRemovals";
import { quoteValue } from "../config/secrets/quote";
import { describeObject, groupVersionOf, type KubernetesObject } from "./kubernetesObject";

/** Objects of a manifest, and what is wrong with it. */
export interface ReadManifest {
  readonly objects: readonly KubernetesObject[];
  /** Each names the object or the document. No value of the manifest is in it. */
  readonly problems: readonly string[];
}

/** Fields of `metadata` that only the API server sets. */
const SERVER_FIELDS = ["managedFields", "resourceVersion", "uid"];

/**
 * Reads a manifest: YAML or JSON, with any number of documents, also lists of objects. YAML is read as
 * kubectl reads it, by the rules of YAML 1.1: `0644` is an octal number, and `yes` is true.
 *
 * @param kubernetesVersion the release that must have the kinds. Default: any
 */
export function readObjects(text: string, kubernetesVersion?: string): ReadManifest {
  const objects: KubernetesObject[] = [];
  const problems: string[] = [];
  const documents = parseAllDocuments(text, { version: "1.1", customTags, prettyErrors: false });
  for (const [index, document] of [...documents].entries()) {
    const where = `document ${index + 1}`;
    const [error] = document.errors;
    if (error !== undefined) {
      const line = text.slice(0, error.pos[0]).split("\n").length;
      problems.push(`${where} is no YAML (${error.code.toLowerCase()}, line ${line})`);
      continue;
    }
    const items = itemsOf(document.toJS({ maxAliasCount: 1_000 }) as unknown);
    for (const [place, item] of items.entries()) {
      const found = problemsOf(item, kubernetesVersion);
      const name = items.length > 1 ? `${where}, item ${place + 1}` : where;
      if (found.length > 0) {
        problems.push(...found.map((problem) => `${nameOf(item) ?? name}: ${problem}`));
      } else {
        objects.push(item as KubernetesObject);
      }
    }
  }
  return { objects, problems };
}

/** Kubernetes' reader has no times, neither of the day nor of the calendar (sigs.k8s.io/yaml v1.6). */
const customTags = (tags: Tags): Tags =>
  tags.filter(
    (tag) =>
      typeof tag !== "object" ||
      !(tag.tag === "tag:yaml.org,2002:timestamp" || ("format" in tag && tag.format === "TIME")),
  );

/** The objects of a document: those of a `List`, or the document itself; none for an empty one. */
function itemsOf(content: unknown): readonly unknown[] {
  if (content === null || content === undefined) {
    return [];
  }
  if (Array.isArray(content)) {
    return content;
  }
  const { kind, apiVersion, items } = content as Partial<Record<string, unknown>>;
  return kind === "List" && apiVersion === "v1" && Array.isArray(items) ? items : [content];
}

function problemsOf(item: unknown, kubernetesVersion: string | undefined): string[] {
  if (!isMapping(item)) {
    return ["it is no object: give apiVersion, kind and metadata"];
  }
  const { apiVersion, kind, metadata } = item;
  const { name, namespace } = isMapping(metadata) ? metadata : {};
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  const missing = [
    ...(isText(apiVersion) ? [] : ["apiVersion"]),
    ...(isText(kind) ? [] : ["kind"]),
    ...(isText(name) ? [] : ["metadata.name"]),
  ].map((field) => `${field} is missing, or no text`);
  const servers = SERVER_FIELDS.filter((field) => isMapping(metadata) && field in metadata);
  return [
    ...missing,
    ...(namespace === undefined || isText(namespace) ? [] : ["metadata.namespace is no text"]),
    ...servers.map((field) => `metadata.${field} is set by the API server: remove it`),
    ...(missing.length === 0
      ? removedProblem(item as unknown as KubernetesObject, kubernetesVersion)
      : []),
  ];
}

function removedProblem(
  object: KubernetesObject,
  kubernetesVersion: string | undefined,
): readonly string[] {
  const removedIn = removalOf(object, kubernetesVersion);
  return removedIn === undefined
    ? []
    : [
        `Kubernetes ${kubernetesVersion ?? ""} has no ${quoteValue(object.apiVersion)} of it, which ${removedIn} removed: write it for a version that is served`,
      ];
}

/** The minor that removed the kind of an object; undefined if the release has it, or may have it. */
function removalOf(
  object: KubernetesObject,
  kubernetesVersion: string | undefined,
): string | undefined {
  const [, minor = ""] = /^v?1\.(\d+)/.exec(kubernetesVersion ?? "") ?? [];
  const { group, version } = groupVersionOf(object);
  const kind = object.kind.toLowerCase();
  const plurals = [`${kind}s`, `${kind}es`, `${kind.slice(0, -1)}ies`];
  const names = plurals.map((plural) => `${plural}.${version}.${group}`);
  const found = [...kubernetesRemovals].find(
    ([removedIn, { apiResources = [] }]) =>
      minor !== "" &&
      removedIn <= Number(minor) &&
      apiResources.some((resource) => names.includes(resource)),
  );
  return found && `1.${found[0]}`;
}

function nameOf(item: unknown): string | undefined {
  const { kind, metadata } = isMapping(item) ? item : {};
  return typeof kind === "string" && isMapping(metadata) && typeof metadata.name === "string"
    ? describeObject(item as KubernetesObject)
    : undefined;
}
