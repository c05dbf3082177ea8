import type { ConfigProblem } from "../configError";
import { type ConfigDocument, documentId } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { quoteValue, valueAt } from "../secrets/quote";
import { redactDocument } from "../secrets/redact";
import { notAllowed } from "../suggestion";
import { coerceDocument } from "./coerce";
import type { ConfigSchema, PropertySchema } from "./configSchema";
import { formats } from "./formats";
import { type SchemaError, schemaErrors } from "./schemaErrors";
import { unknownKey, unknownKind } from "./unknownNames";

/**
 * All schema violations in a document: unknown kinds and keys, wrong types, words that are not
 * allowed, texts of the wrong form, missing fields.
 *
 * @param options.partial the document is a patch, and need not be complete. Default: false
 * @param options.coerced the result of `coerceDocument`, if it is known
 */
export function schemaProblems(
  document: ConfigDocument,
  schema: ConfigSchema,
  options: { readonly partial?: boolean; readonly coerced?: ConfigDocument } = {},
): ConfigProblem[] {
  const kind = document.kind ?? "";
  const id = documentId(document);
  const known = typeof kind === "string" ? schema.documents.get(kind) : undefined;
  const field = typeof kind === "string" ? schema.document(kind) : undefined;
  if (known === undefined || field === undefined) {
    return [{ document: id, path: "kind", message: unknownKind(kind, schema) }];
  }
  const { partial = false, coerced = coerceDocument(document, field) } = options;
  const errors = schemaErrors(coerced, schema.file, known.type).filter(
    (error) =>
      !partial ||
      error.keyword !== "required" ||
      (error.path.length === 0 && ["apiVersion", "kind", "name"].includes(error.key)),
  );
  if (errors.length === 0) {
    return [];
  }
  const redacted = redactDocument(coerced);
  return errors.map((error) => {
    const { path, message } = explainError(error, {
      document: coerced,
      redacted,
      unknown: (key, place) => unknownKey(key, place, coerced, schema),
    });
    return { document: id, path: formatPath(path), message };
  });
}

/** What `explainError` needs besides the error. */
export interface ErrorContext {
  readonly document: ConfigDocument;
  /** The same without secrets. */
  readonly redacted: ConfigDocument;
  /** The message about an unknown key of the mapping at a path. */
  readonly unknown: (key: string, path: Path) => string;
}

/** The place of a violation, and what is wrong there. No message contains a secret. */
export function explainError(
  error: SchemaError,
  { document, redacted, unknown }: ErrorContext,
): { readonly path: Path; readonly message: string } {
  const { path } = error;
  const value = valueAt(document, path);
  const quoted = quoteValue(valueAt(redacted, path));
  switch (error.keyword) {
    case "additionalProperties": {
      const { key } = error;
      return { path: [...path, key], message: unknown(key, path) };
    }
    case "required":
      return { path: [...path, error.key], message: "is required" };
    case "type":
      return { path, message: `has to be ${describe(error.schema)}, not ${quoted}` };
    case "enum":
      return { path, message: notAllowed(quoted, value, error.allowed) };
    case "format": {
      const format = formats.get(error.format);
      const detail = typeof value === "string" ? format?.explain?.(value) : undefined;
      const message = `${quoted} is not ${format?.description ?? error.format}`;
      return { path, message: detail === undefined ? message : `${message}: ${detail}` };
    }
    case "minimum":
    case "maximum": {
      const side = error.keyword === "minimum" ? "below" : "above";
      return { path, message: `${quoted} is ${side} ${error.limit}` };
    }
  }
}

function describe({ type, items, additionalProperties, $ref }: PropertySchema): string {
  const types = typeof type === "string" ? [type] : (type ?? []);
  if (types.includes("array")) {
    return items?.$ref !== undefined || items?.type === "object"
      ? "a list of mappings"
      : items?.type === "string"
        ? "a list of texts"
        : "a list";
  }
  if ($ref !== undefined || types.includes("object")) {
    return typeof additionalProperties === "object" && additionalProperties.type === "string"
      ? "a mapping of keys to texts"
      : "a mapping of keys";
  }
  const names = new Map([
    ["string", "a text"],
    ["boolean", "true or false"],
    ["integer", "a whole number"],
    ["number", "a number"],
  ]);
  return types.map((name) => names.get(name) ?? name).join(" or ");
}
