import { createHash, createHmac } from "node:crypto";
import { type Field, itemField, memberField } from "./configSchema";
import { FrozenMemo } from "./frozenMemo";
import { LruCache } from "./lruCache";
import {
  type ConfigDocument,
  documentId,
  isMapping,
  mapMembers,
  textAt,
  type YamlValue,
} from "./machineConfig";
import { type SecretInside, secretField, secretInside, type SecretKind } from "./secretField";
import {
  isSecretMark,
  isSecretName,
  redactNamedValue,
  redactText,
  type SecretMark,
  secretMarker,
} from "./secretText";
import { widestSchema } from "./talosSchemas";

/** Functions that replace a secret by a mark, by the kind of secret. */
type Marks = Readonly<Record<SecretKind, SecretMark>>;

/**
 * The documents with a mark in place of every secret. Equal secrets have equal marks, and different
 * secrets different ones, so a rotation is visible. A generated secret becomes `«secret
 * sha256:1a2b3c4d»`, with the first eight hex digits of its SHA-256. A secret that a person chose
 * could be found by trying values. So it becomes `«secret hmac:1a2b3c4d»`, an HMAC-SHA256 with a
 * secret of the cluster, or just `«secret»` if the documents contain none. Certificates are public
 * and stay. In free texts and values (environment variables, arguments, manifests), everything that
 * looks like a secret is replaced.
 *
 * Redacted documents are returned unchanged.
 */
export function redactDocuments(documents: readonly ConfigDocument[]): ConfigDocument[] {
  const marks = marksFor(clusterSecret(documents));
  return documents.map((document) => redact(document, marks));
}

/** `redactDocuments` of one document. */
export function redactDocument(document: ConfigDocument): ConfigDocument {
  return redact(document, marksFor(clusterSecret([document])));
}

function redact(document: ConfigDocument, marks: Marks): ConfigDocument {
  const field = widestSchema.document(textAt(document, "kind") ?? "");
  const redacted = redactValue(document, field, marks);
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
 * Marks by the cluster's secret, because results in `redactedValues` are valid only for the same
 * marks.
 */
const clusters = new LruCache<Marks>(4);

function makeMarks(key: string | undefined): Marks {
  const generated = (secret: string) =>
    markOf("sha256", createHash("sha256").update(secret).digest("hex"));
  return {
    generated,
    pem: (secret) => generated(Buffer.from(secret).toString("base64")),
    chosen:
      key === undefined
        ? () => secretMarker
        : (secret) => markOf("hmac", createHmac("sha256", key).update(secret).digest("hex")),
  };
}

function markOf(method: string, digest: string): string {
  return `«secret ${method}:${digest.slice(0, 8)}»`;
}

function redactValue(value: YamlValue, field: Field | undefined, marks: Marks): YamlValue {
  return redactedValues.get(value, [field, marks], () => makeRedacted(value, field, marks));
}

const redactedValues = new FrozenMemo<YamlValue>();

function makeRedacted(value: YamlValue, field: Field | undefined, marks: Marks): YamlValue {
  if (typeof value === "string") {
    return redactText(value, marks.chosen);
  }
  if (Array.isArray(value)) {
    return value.map((item) => redactValue(item, itemField(field), marks));
  }
  if (!isMapping(value)) {
    return value;
  }
  // Kubernetes' form for a list of variables, in which the name is a value too.
  const { name } = value;
  return mapMembers(value, (child, key) => {
    const named = key === "value" && typeof name === "string" ? name : key;
    return redactMember(child, field, { key, name: named }, marks);
  });
}

function redactMember(
  value: YamlValue,
  field: Field | undefined,
  { key, name }: { readonly key: string; readonly name: string },
  marks: Marks,
): YamlValue {
  const type = field?.shape.kind === "struct" ? field.shape.type : undefined;
  const secret = type === undefined ? undefined : secretField(type, key);
  const member = memberField(field, key);
  if (secret !== undefined) {
    return redactSecret(value, marks[secret]);
  }
  const inside = type === undefined ? undefined : secretInside(type, key);
  if (inside !== undefined) {
    return redactInside(value, inside, marks);
  }
  if (field?.shape.kind === "struct" && member !== undefined) {
    return redactValue(value, member, marks);
  }
  if (typeof value === "string") {
    return redactNamedValue(name, value, marks.chosen);
  }
  if (!isSecretName(name)) {
    return redactValue(value, member, marks);
  }
  if (Array.isArray(value)) {
    return value.map((item) =>
      isMapping(item) ? redactValue(item, undefined, marks) : redactSecret(item, marks.chosen),
    );
  }
  return typeof value === "number"
    ? redactSecret(value, marks.chosen)
    : redactValue(value, member, marks);
}

/** Replaces all values of one name in free content, and what else looks like a secret. */
function redactInside(value: YamlValue, inside: SecretInside, marks: Marks): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => redactInside(item, inside, marks));
  }
  return isMapping(value)
    ? mapMembers(value, (child, key) =>
        key === inside.name
          ? redactSecret(child, marks[inside.kind])
          : redactInside(child, inside, marks),
      )
    : redactValue(value, undefined, marks);
}

/** Replaces a whole value except the keys of mappings, because headers have names. */
function redactSecret(value: YamlValue, mark: SecretMark): YamlValue {
  if (value === null || value === "") {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => redactSecret(item, mark));
  }
  if (isMapping(value)) {
    return mapMembers(value, (child) => redactSecret(child, mark));
  }
  const text = String(value);
  return isSecretMark(text) ? text : mark(text);
}
