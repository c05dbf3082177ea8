import { createHash } from "node:crypto";
import { WITHHELD } from "../pki/withheld";
import { decodeDocuments, encodeDocuments } from "./encode";
import { hiddenValues } from "./hiddenValues";
import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "./machineConfig";
import { valueAt } from "./quote";
import { redactDocuments } from "./redact";
import { secretMarker } from "./secretMark";

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
  const plain = replaced(withoutDerived(ofFields, `${MANIFEST}/`), secretMarker);
  return isMapping(plain) ? plain : outline;
}

/** @param prefix of the keys that name manifests */
function withoutDerived(manifests: ConfigDocument, prefix: string): ConfigDocument {
  return mapMembers(manifests, (manifest, key) =>
    key.startsWith(prefix) && DERIVED.test(key.slice(prefix.length)) ? secretMarker : manifest,
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
  return encodeDocuments(
    redactDocuments(documents, marked).map((document) => {
      const withheld = replaced(document, WITHHELD);
      return isMapping(withheld) ? withheld : document;
    }),
  );
}

/** Stands for the hash of a configuration whose secrets are withheld: it follows from the rest. */
export function withheldHash(outline: ConfigDocument): string {
  return createHash("sha256")
    .update(`withheld ${JSON.stringify(sorted(outline))}`)
    .digest("hex");
}

/** A value with another text in place of each mark of a secret. */
function replaced(value: YamlValue, text: string): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => replaced(item, text));
  }
  if (isMapping(value)) {
    return mapMembers(value, (item) => replaced(item, text));
  }
  return typeof value === "string" ? value.replace(/«secret[^«»]*»/g, text) : value;
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
