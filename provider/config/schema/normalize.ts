import { memoized } from "../frozenMemo";
import { type ConfigDocument, isMapping, membersOf, type YamlValue } from "../machineConfig";
import { coerceScalar } from "./coerce";
import type { ConfigSchema, Field } from "./configSchema";
import { compareKeys } from "./keyOrder";
import { newestSchema } from "./talosSchemas";

/**
 * A document as Talos writes it after reading it: fields in Talos' order, free keys sorted, empty
 * values left out or written as the field requires, numbers as text in text fields. Values that
 * Talos could not read (unknown keys, wrong types) stay unchanged, at the end.
 *
 * Documents of unknown kinds stay unchanged. Source: the struct tags of pkg/machinery v1.12.1 and
 * the omitempty rules of go.yaml.in/yaml v4.
 *
 * @param schema of the Talos that reads them. Default: the newest
 */
export function normalizeDocument(
  document: ConfigDocument,
  schema: ConfigSchema = newestSchema,
): ConfigDocument {
  const field = schema.fieldOf(document);
  if (field === undefined) {
    return document;
  }
  const normalized = normalizeValue(document, field);
  return isMapping(normalized) ? normalized : document;
}

/** A value in its normal form; undefined if nothing is written for it. */
export const normalizeValue = memoized(
  (value: YamlValue | undefined, field: Field): YamlValue | undefined => {
    const { shape } = field;
    if (value === undefined || value === null) {
      return undefined;
    }
    switch (shape.kind) {
      case "struct":
        return isMapping(value) ? normalizeStruct(value, shape.fields) : value;
      case "map":
        return isMapping(value)
          ? sortedMapping(
              value,
              (child) => normalizeValue(child, shape.value) ?? zeroValue(shape.value),
            )
          : value;
      case "list":
        if (Array.isArray(value)) {
          return value.map((item) =>
            item === null ? null : (normalizeValue(item, shape.item) ?? null),
          );
        }
        if (!shape.orSingle) {
          return value;
        }
        return value === "" ? undefined : normalizeValue(value, shape.item);
      case "free":
        return normalizeFree(value);
      case "scalar":
        return typeof value === "object" ? value : coerceScalar(value, shape);
    }
  },
);

function normalizeStruct(
  value: ConfigDocument,
  fields: ReadonlyMap<string, Field>,
): ConfigDocument {
  const normal: ConfigDocument = {};
  for (const [name, field] of fields) {
    const child = normalizeValue(value[name], field);
    if (child !== undefined && !(field.omitEmpty && isEmpty(child, field))) {
      normal[name] = child;
    } else if (!field.omitEmpty) {
      normal[name] = zeroValue(field);
    }
  }
  const unknown = Object.keys(value).filter((name) => !fields.has(name));
  return unknown.length === 0
    ? normal
    : { ...normal, ...membersOf(value, unknown, (child) => child) };
}

function normalizeFree(value: YamlValue): YamlValue {
  if (Array.isArray(value)) {
    return value.map(normalizeFree);
  }
  return isMapping(value) ? sortedMapping(value, normalizeFree) : value;
}

function sortedMapping(
  value: ConfigDocument,
  normalize: (child: YamlValue) => YamlValue,
): ConfigDocument {
  return membersOf(value, Object.keys(value).sort(compareKeys), normalize);
}

/** Whether Talos counts a value as not set. */
export function isEmpty(value: YamlValue | undefined, field: Field): boolean {
  if (value === undefined || value === null) {
    return true;
  }
  if (field.pointer) {
    return false;
  }
  switch (field.shape.kind) {
    case "struct":
      return isMapping(value) && everyFieldEmpty(value, field.shape.fields);
    case "list":
      return Array.isArray(value) && value.length === 0;
    case "map":
    case "free":
      return isMapping(value) && Object.keys(value).length === 0;
    case "scalar":
      return (
        value === field.shape.zero ||
        (field.shape.types[0] === "string" && value === "") ||
        (field.shape.format === "duration" && value === "0s")
      );
  }
}

function everyFieldEmpty(value: ConfigDocument, fields: ReadonlyMap<string, Field>): boolean {
  return Object.entries(value).every(([name, child]) => {
    const field = fields.get(name);
    return field !== undefined && (field.incidental || isEmpty(child, field));
  });
}

/** The value that Talos writes for an unset field that it never leaves out. */
function zeroValue(field: Field): YamlValue {
  if (field.pointer) {
    return null;
  }
  switch (field.shape.kind) {
    case "struct":
      return normalizeStruct({}, field.shape.fields);
    case "list":
      return field.shape.orSingle ? null : [];
    case "map":
    case "free":
      return {};
    case "scalar":
      return field.shape.zero;
  }
}
