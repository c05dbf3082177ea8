import Ajv2020, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import { coerceDocument } from "./coerce";
import type { ConfigProblem } from "./configError";
import type { ConfigSchema, PropertySchema } from "./configSchema";
import { formats } from "./formats";
import { type ConfigDocument, documentId, type YamlValue } from "./machineConfig";
import { notAllowed } from "./suggestion";
import { formatPath, type Path } from "./path";
import { quoteValue, valueAt } from "./quote";
import { redactDocument } from "./redact";
import { unknownKey, unknownKind } from "./unknownNames";

/** Compiled validators are slow to create and stateless, so each schema and type has one. */
const validators = new WeakMap<ConfigSchema, Map<string, ValidateFunction>>();
const engines = new WeakMap<ConfigSchema, Ajv2020>();

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
  const validate = validator(schema, known.type);
  if (validate(coerced)) {
    return [];
  }
  const errors = (validate.errors ?? []).filter(
    ({ keyword, instancePath, params }) =>
      !partial ||
      keyword !== "required" ||
      (instancePath === "" &&
        ["apiVersion", "kind", "name"].includes(String(params.missingProperty))),
  );
  const redacted = redactDocument(coerced);
  return errors.map((error) => ({
    document: id,
    ...problem(error, coerced, redacted, schema),
  }));
}

function validator(schema: ConfigSchema, type: string): ValidateFunction {
  const known = validators.get(schema) ?? new Map<string, ValidateFunction>();
  validators.set(schema, known);
  const validate =
    known.get(type) ?? engine(schema).compile({ $ref: `${schema.file.$id}#/$defs/${type}` });
  known.set(type, validate);
  return validate;
}

function engine(schema: ConfigSchema): Ajv2020 {
  const known = engines.get(schema);
  if (known !== undefined) {
    return known;
  }
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    // Each process compiles them again for few documents, so the compile time matters more than the
    // run time.
    code: { optimize: false },
    // The schema is part of this package, and a test checks it against the meta-schema.
    validateSchema: false,
  });
  for (const [name, { accepts, refusesEmpty = false }] of formats) {
    ajv.addFormat(name, (text: string) => (text === "" && !refusesEmpty) || accepts(text));
  }
  ajv.addSchema(schema.file);
  engines.set(schema, ajv);
  return ajv;
}

function problem(
  error: ErrorObject,
  document: ConfigDocument,
  redacted: ConfigDocument,
  schema: ConfigSchema,
): { readonly path: string; readonly message: string } {
  const path = toPath(error.instancePath, document);
  const quoted = quoteValue(valueAt(redacted, path));
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params.additionalProperty);
      return { path: formatPath([...path, key]), message: unknownKey(key, path, document, schema) };
    }
    case "required":
      return {
        path: formatPath([...path, String(params.missingProperty)]),
        message: "is required",
      };
    case "type":
      return {
        path: formatPath(path),
        message: `has to be ${describe(error.parentSchema)}, not ${quoted}`,
      };
    case "enum": {
      const allowed = params.allowedValues as readonly string[];
      return {
        path: formatPath(path),
        message: notAllowed(quoted, valueAt(document, path), allowed),
      };
    }
    case "format": {
      const format = formats.get(String(params.format));
      const text = valueAt(document, path);
      const detail = typeof text === "string" ? format?.explain?.(text) : undefined;
      const message = `${quoted} is not ${format?.description ?? String(params.format)}`;
      return {
        path: formatPath(path),
        message: detail === undefined ? message : `${message}: ${detail}`,
      };
    }
    case "minimum":
    case "maximum": {
      const side = error.keyword === "minimum" ? "below" : "above";
      return { path: formatPath(path), message: `${quoted} is ${side} ${String(params.limit)}` };
    }
    default:
      return { path: formatPath(path), message: `${quoted} ${error.message ?? "is not allowed"}` };
  }
}

/** A JSON pointer as a path; digits are an index if the document has a list there. */
function toPath(pointer: string, document: ConfigDocument): Path {
  let here: YamlValue | undefined = document;
  return pointer
    .split("/")
    .slice(1)
    .map((step) => {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const index = Array.isArray(here) ? Number(name) : name;
      here = valueAt(here, [index]);
      return index;
    });
}

function describe(schema: unknown): string {
  const { type, items, additionalProperties, $ref } = (schema ?? {}) as PropertySchema;
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
