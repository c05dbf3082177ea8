import { memoized } from "../frozenMemo";
import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "../machineConfig";
import { oldBoolean } from "../yaml/yamlScalar";
import { type Field, itemField, memberField, type ScalarShape, scalarShape } from "./configSchema";
import { formats } from "./formats";

/**
 * A document with each scalar converted to the type that Talos reads: numbers and booleans as text
 * in text fields, `yes` as true in boolean fields. Nulls are removed, because they mean "not set";
 * under free keys they stay if Talos would otherwise miss the key's mapping. Values that don't fit
 * stay unchanged.
 */
export function coerceDocument(document: ConfigDocument, field: Field): ConfigDocument {
  const coerced = coerceValue(document, field);
  return isMapping(coerced) ? coerced : document;
}

const coerceValue = memoized((value: YamlValue, field: Field | undefined): YamlValue => {
  if (field === undefined || field.shape.kind === "free") {
    return value;
  }
  if (Array.isArray(value)) {
    const item = itemField(field);
    return value.map((child) => coerceValue(child, item));
  }
  if (isMapping(value)) {
    const missed = field.shape.kind === "map" && field.shape.value.pointer;
    return mapMembers(value, (child, key) => {
      const member = memberField(field, key);
      const isSet = child !== null || missed || member === undefined;
      return isSet ? coerceValue(child, member) : undefined;
    });
  }
  const shape = scalarShape(field);
  return shape !== undefined && value !== null ? coerceScalar(value, shape) : value;
});

/** A scalar as the type that Talos reads in its field. */
export function coerceScalar(
  value: string | number | boolean,
  shape: ScalarShape,
): string | number | boolean {
  if (shape.types[0] === "boolean" && typeof value === "string") {
    return oldBoolean(value) ?? value;
  }
  if (
    !shape.types.includes("string") ||
    (typeof value !== "string" && shape.types[0] !== "string")
  ) {
    return value;
  }
  const text = String(value);
  const format = formats.get(shape.format ?? "");
  if (format?.canonical !== undefined && text !== "" && format.accepts(text)) {
    return format.canonical(text);
  }
  return shape.trimStart ? text.replace(/^[\t\n\v\f\r]+/, "") : text;
}
