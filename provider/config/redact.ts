import { createHash } from "node:crypto";
import { type Field, itemField, memberField } from "./configSchema";
import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";
import { type SecretKind, secretField } from "./secretField";
import { isSecretName, redactNamedValue, redactText, secretMarker } from "./secretText";
import { newestSchema } from "./talosSchemas";

/**
 * The documents with every secret replaced, to show to people. A secret that Talos or a tool made
 * becomes `«secret sha256:1a2b3c4d»`, the first eight hex digits of its SHA-256: the same for the
 * same secret, another for another, so that a rotation shows. A secret that a person chose becomes
 * `«secret»`, and so do the contents of files. Certificates are public and stay. In free texts and
 * values (environment variables, arguments, manifests) whatever looks like a secret goes.
 */
export function redactDocuments(documents: readonly ConfigDocument[]): ConfigDocument[] {
  return documents.map(redactDocument);
}

/** `redactDocuments` of one document. */
export function redactDocument(document: ConfigDocument): ConfigDocument {
  const field = newestSchema.document(textAt(document, "kind") ?? "");
  const redacted = redactValue(document, field);
  return isMapping(redacted) ? redacted : {};
}

function redactValue(value: YamlValue, field: Field | undefined): YamlValue {
  if (typeof value === "string") {
    return redactText(value);
  }
  if (Array.isArray(value)) {
    return value.map((item) => redactValue(item, itemField(field)));
  }
  if (!isMapping(value)) {
    return value;
  }
  // Kubernetes' way to write a list of variables: the name is a value, too
  const { name } = value;
  const entries = Object.entries(value).map(([key, child]) => {
    const named = key === "value" && typeof name === "string" ? name : key;
    return [key, redactMember(child, field, key, named)] as const;
  });
  return Object.fromEntries(entries);
}

function redactMember(
  value: YamlValue,
  field: Field | undefined,
  key: string,
  name: string,
): YamlValue {
  const secret = field?.shape.kind === "struct" ? secretField(field.shape.type, key) : undefined;
  const member = memberField(field, key);
  if (secret !== undefined) {
    return redactSecret(value, secret, member);
  }
  if (field?.shape.kind === "struct" && member !== undefined) {
    return redactValue(value, member);
  }
  if (typeof value === "string") {
    return redactNamedValue(name, value);
  }
  if (!isSecretName(name)) {
    return redactValue(value, member);
  }
  if (Array.isArray(value)) {
    return value.map((item) => (isMapping(item) ? redactValue(item, undefined) : secretMarker));
  }
  return typeof value === "number" ? secretMarker : redactValue(value, member);
}

function redactSecret(value: YamlValue, kind: SecretKind, field: Field | undefined): YamlValue {
  if (value === null || value === "") {
    return value;
  }
  if (field?.shape.kind === "map" && isMapping(value)) {
    return Object.fromEntries(Object.keys(value).map((key) => [key, secretMarker]));
  }
  return kind === "generated" && typeof value === "string" ? fingerprint(value) : secretMarker;
}

function fingerprint(secret: string): string {
  const digest = createHash("sha256").update(secret).digest("hex");
  return `${secretMarker.slice(0, -1)} sha256:${digest.slice(0, 8)}»`;
}
