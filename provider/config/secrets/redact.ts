import { createHash, createHmac } from "node:crypto";
import { memoized } from "../frozenMemo";
import { LruCache } from "../lruCache";
import {
  type ConfigDocument,
  documentId,
  isMapping,
  mapMembers,
  textAt,
  type YamlValue,
} from "../machineConfig";
import { type Field, itemField, memberField } from "../schema/configSchema";
import { widestSchema } from "../schema/talosSchemas";
import { type MarkedValues, MarkedTexts } from "./markedValues";
import { type SecretInside, secretField, secretInside, type SecretKind } from "./secretField";
import { redactLines } from "./secretLines";
import { isSecretMark, type SecretMark, secretMarker } from "./secretMark";
import { secretPlace } from "./secretPlace";
import { redactPlace } from "./secretPlaces";
import { hideAll } from "./secretTree";

/** Functions that replace a secret by a mark, by the kind of secret. */
type Marks = Readonly<Record<SecretKind, SecretMark>>;

/**
 * The documents with a mark in place of every secret. Equal secrets have equal marks, and different
 * secrets different ones, so a rotation is visible. A generated secret becomes `«secret
 * sha256:1a2b3c4d»`, with the first eight hex digits of its SHA-256. A secret that a person chose
 * could be found by trying values. So it becomes `«secret hmac:1a2b3c4d»`, an HMAC-SHA256 with a
 * secret of the cluster, or just `«secret»` if the documents contain none. Certificates are public
 * and stay. In free content, the place decides: of an environment or a header every value is replaced
 * that isn't known to be harmless, of a manifest everything that looks like a secret
 * (`secretPlace`).
 *
 * Redacted documents are returned unchanged.
 *
 * @param marked values that a program marked as secret, which are hidden wherever they are. Default:
 *   none
 * @param keyedBy the documents with the cluster's secret. Others make the marks comparable with theirs,
 *   when that secret is rotated. Default: the same
 */
export function redactDocuments(
  documents: readonly ConfigDocument[],
  marked: MarkedValues = [],
  keyedBy: readonly ConfigDocument[] = documents,
): ConfigDocument[] {
  const marks = marksFor(clusterSecret(keyedBy));
  const texts = new MarkedTexts(marked);
  return documents.map((document) =>
    redact(
      texts.isEmpty
        ? document
        : texts.hideIn(document, widestSchema.fieldOf(document), marks.chosen),
      marks,
    ),
  );
}

/** `redactDocuments` of one document. */
export function redactDocument(document: ConfigDocument): ConfigDocument {
  return redact(document, marksFor(clusterSecret([document])));
}

function redact(document: ConfigDocument, marks: Marks): ConfigDocument {
  const redacted = redactValue(document, widestSchema.fieldOf(document), marks);
  return isMapping(redacted) ? redacted : {};
}

/** A secret that only the machines of the cluster have. */
function clusterSecret(documents: readonly ConfigDocument[]): string | undefined {
  const [config, identity] = ["v1alpha1", "DiscoveryIdentityConfig"].map((id) =>
    documents.find((document) => documentId(document) === id),
  );
  const secret =
    textAt(config?.cluster, "secret") ??
    textAt(identity, "clusterSecret") ??
    textAt(config?.machine, "token") ??
    "";
  return secret === "" || isSecretMark(secret) ? undefined : secret;
}

function marksFor(key: string | undefined): Marks {
  return clusters.get(key ?? "", () => makeMarks(key));
}

/**
 * Marks by the cluster's secret, because memoised results are valid only for the same marks.
 */
const clusters = new LruCache<Marks>(4);

/** The mark of a secret that was generated. */
export function generatedMark(secret: string): string {
  return markOf("sha256", createHash("sha256").update(secret).digest("hex"));
}

function makeMarks(key: string | undefined): Marks {
  return {
    generated: generatedMark,
    pem: (secret) => generatedMark(Buffer.from(secret).toString("base64")),
    chosen:
      key === undefined
        ? () => secretMarker
        : (secret) => markOf("hmac", createHmac("sha256", key).update(secret).digest("hex")),
  };
}

function markOf(method: string, digest: string): string {
  return `«secret ${method}:${digest.slice(0, 8)}»`;
}

const redactValue = memoized(
  (value: YamlValue, field: Field | undefined, marks: Marks): YamlValue => {
    if (typeof value === "string") {
      return redactLines(value, marks.chosen);
    }
    if (Array.isArray(value)) {
      return value.map((item) => redactValue(item, itemField(field), marks));
    }
    if (!isMapping(value)) {
      return value;
    }
    const type = field?.shape.kind === "struct" ? field.shape.type : undefined;
    if (type === undefined && field?.shape.kind !== "map") {
      // Nothing is known of it: a kind or a field that no release has.
      return redactPlace("pod", value, marks.chosen);
    }
    return mapMembers(value, (child, key) => redactMember(child, field, { type, key }, marks));
  },
);

function redactMember(
  value: YamlValue,
  field: Field | undefined,
  { type, key }: { readonly type: string | undefined; readonly key: string },
  marks: Marks,
): YamlValue {
  if (type === undefined) {
    return redactValue(value, memberField(field, key), marks);
  }
  const secret = secretField(type, key);
  if (secret !== undefined) {
    return hideAll(value, marks[secret]);
  }
  const inside = secretInside(type, key);
  if (inside !== undefined) {
    return redactInside(value, inside, marks);
  }
  const member = memberField(field, key);
  const place = secretPlace(type, key);
  return place === undefined && member !== undefined
    ? redactValue(value, member, marks)
    : redactPlace(place ?? "pod", value, marks.chosen, key);
}

/** Replaces all values of one name in free content, and what else looks like a secret. */
function redactInside(value: YamlValue, inside: SecretInside, marks: Marks): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => redactInside(item, inside, marks));
  }
  return isMapping(value)
    ? mapMembers(value, (child, key) =>
        key === inside.name
          ? hideAll(child, marks[inside.kind])
          : redactInside(child, inside, marks),
      )
    : redactPlace("object", value, marks.chosen);
}
