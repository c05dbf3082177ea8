import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { WITHHELD } from "../../pki/withheld";
import { documentsOfOutline, LONGEST_TEXT, outlineDocuments, shorten } from "../effects/outline";
import {
  type ConfigDocument,
  isMapping,
  mapMembers,
  mapScalars,
  textAt,
  type YamlValue,
} from "../machineConfig";
import { decodeDocuments, encodeDocuments } from "../yaml/encode";
import { hiddenValues } from "./hiddenValues";
import { valueAt } from "./quote";
import { redactDocuments } from "./redact";
import { isSecretMark, secretMarker, withPlainMarks } from "./secretMark";

/** Whether a configuration is rendered from withheld secrets. Each machine has the cluster's. */
export function isWithheld(documents: readonly ConfigDocument[]): boolean {
  return documents.some((document) =>
    [["cluster", "secret"], ["clusterSecret"]].some((path) => valueAt(document, path) === WITHHELD),
  );
}

/**
 * Manifests of components with what is derived from a CA's key: it can't be without that key. Source: `makeOwnManifests`.
 */
const DERIVED = /^pod-identity-webhook$|-certificate$/;

/** The kind of the documents that have them since Talos v1.14, one each. */
const MANIFEST = "KubeInlineManifestConfig";

/** An outline in which each secret looks like any other, whatever it is, and so does what is derived from one. */
export function plainOutline(outline: ConfigDocument): ConfigDocument {
  const { cluster } = outline;
  const manifests = valueAt(cluster, ["inlineManifests"]);
  const ofFields =
    isMapping(cluster) && isMapping(manifests)
      ? { ...outline, cluster: { ...cluster, inlineManifests: withoutDerived(manifests, "") } }
      : outline;
  return withTexts(withoutDerived(ofFields, `${MANIFEST}/`), plainText);
}

/** @param prefix of the keys that name manifests */
function withoutDerived(manifests: ConfigDocument, prefix: string): ConfigDocument {
  return mapMembers(manifests, (manifest, key) =>
    key.startsWith(prefix) && DERIVED.test(key.slice(prefix.length)) && isMapping(manifest)
      ? mapMembers(manifest, (item, member) => (member === "name" ? item : secretMarker))
      : manifest,
  );
}

/**
 * A configuration with each secret withheld, in the same form.
 *
 * @param outline by which values count as secret too that a program marked
 */
export function withheldText(text: string, outline: ConfigDocument | undefined): string {
  const documents = decodeDocuments(text);
  const marked = outline === undefined ? [] : hiddenValues(documents, outline);
  const withheld = redactDocuments(documents, marked).map((document) =>
    withoutMarks(documentWithoutDerived(document)),
  );
  const plain = outline && plainOutline(outline);
  const isFound =
    plain === undefined || isDeepStrictEqual(plainOutline(outlineDocuments(withheld)), plain);
  // What an outline hides and was not found is not to be told from the rest.
  return encodeDocuments(isFound ? withheld : documentsOfOutline(plain).map(withoutMarks));
}

/** A text with a mark inside stays as it is when it is redacted again. */
function withoutMarks(document: ConfigDocument): ConfigDocument {
  return withTexts(document, (part) => (isSecretMark(part) ? WITHHELD : plainText(part)));
}

function isDerived(manifest: ConfigDocument): boolean {
  return DERIVED.test(textAt(manifest, "name") ?? "");
}

function documentWithoutDerived(document: ConfigDocument): ConfigDocument {
  const { cluster, kind, manifest } = document;
  if (kind === MANIFEST && manifest !== undefined) {
    return { ...document, ...(isDerived(document) && { manifest: secretMarker }) };
  }
  const given = valueAt(cluster, ["inlineManifests"]);
  if (!isMapping(cluster) || !Array.isArray(given)) {
    return document;
  }
  const inlineManifests = given.map((item) =>
    isMapping(item) && isDerived(item) ? { ...item, contents: secretMarker } : item,
  );
  return { ...document, cluster: { ...cluster, inlineManifests } };
}

/**
 * Stands for the hash of a configuration whose secrets are withheld: it follows from the rest. A role and a machine with
 * the same configuration have the same, whatever the length of the texts in their outlines.
 */
export function withheldHash(plain: ConfigDocument): string {
  const shortened = sorted(shortenedOutline(plain, LONGEST_TEXT));
  return createHash("sha256")
    .update(`withheld ${JSON.stringify(shortened)}`)
    .digest("hex");
}

/** An outline with texts of at most that length. */
export function shortenedOutline(outline: ConfigDocument, longestText: number): ConfigDocument {
  return withTexts(outline, (text) => shorten(text, longestText));
}

/**
 * The long texts of a role's outline that have secrets, as the outlines of its machines show them, each with how they show
 * it when those are withheld.
 */
export function shortenedTexts(outline: ConfigDocument): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  withTexts(outline, (text) => {
    const [before, after] = [text, plainText(text)].map((each) => shorten(each, LONGEST_TEXT));
    if (text.length > LONGEST_TEXT && before !== undefined && after !== undefined) {
      found.push([before, after]);
    }
    return text;
  });
  return found.filter(([before, after]) => before !== after);
}

function plainText(text: string): string {
  return withPlainMarks(text).replaceAll(WITHHELD, secretMarker);
}

function withTexts(document: ConfigDocument, change: (text: string) => string): ConfigDocument {
  return mapScalars(document, (value) => (typeof value === "string" ? change(value) : value));
}

function sorted(value: YamlValue): YamlValue {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return isMapping(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, item]) => [key, sorted(item)]),
      )
    : value;
}
