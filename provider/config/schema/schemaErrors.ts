import { isFrozen } from "../frozenMemo";
import { isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import type { PropertySchema, SchemaFile } from "./configSchema";
import { formats } from "./formats";

/** One value that a schema does not allow. */
export type SchemaError = {
  /** Where the value is. */
  readonly path: Path;
} & (
  | { readonly keyword: "type"; readonly schema: PropertySchema }
  | { readonly keyword: "enum"; readonly allowed: readonly string[] }
  | { readonly keyword: "format"; readonly format: string }
  | { readonly keyword: "minimum" | "maximum"; readonly limit: number }
  /** `key` is absent from the mapping at `path`. */
  | { readonly keyword: "required"; readonly key: string }
  /** `key` is in the mapping at `path`, and must not be. */
  | { readonly keyword: "additionalProperties"; readonly key: string }
);

/**
 * All violations of a schema's definition in a value. It knows the ten keywords that the schemas of
 * machine configurations use. Reading the schema takes a millisecond. A general validator takes
 * about 200 ms to load and compile it, in each process again.
 *
 * @param type key in `$defs`
 */
export function schemaErrors(value: YamlValue, file: SchemaFile, type: string): SchemaError[] {
  const errors: SchemaError[] = [];
  collect(value, definitionOf(file, DEFS + type), [], { file, errors });
  return errors;
}

const DEFS = "#/$defs/";

interface Visit {
  readonly file: SchemaFile;
  readonly errors: SchemaError[];
}

/** Frozen values that passed. Machines of a role share most of their configuration. */
const allowed = new WeakMap<object, PropertySchema>();

function collect(value: YamlValue, schema: PropertySchema, path: Path, visit: Visit): void {
  if (typeof value !== "object" || value === null || !isFrozen(value)) {
    collectNow(value, schema, path, visit);
  } else if (allowed.get(value) !== schema) {
    const before = visit.errors.length;
    collectNow(value, schema, path, visit);
    if (visit.errors.length === before) {
      allowed.set(value, schema);
    }
  }
}

function collectNow(value: YamlValue, schema: PropertySchema, path: Path, visit: Visit): void {
  if (schema.$ref !== undefined) {
    collectNow(value, definitionOf(visit.file, schema.$ref), path, visit);
    return;
  }
  const { errors } = visit;
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    errors.push({ path, keyword: "type", schema });
  }
  if (typeof value === "number") {
    collectOfNumber(value, schema, path, errors);
  } else if (typeof value === "string" && schema.format !== undefined) {
    if (!hasFormat(value, schema.format)) {
      errors.push({ path, keyword: "format", format: schema.format });
    }
  }
  if (schema.enum !== undefined && !(schema.enum as readonly YamlValue[]).includes(value)) {
    errors.push({ path, keyword: "enum", allowed: schema.enum });
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined) {
      value.forEach((item, index) => {
        collect(item, items, [...path, index], visit);
      });
    }
  } else if (isMapping(value)) {
    collectOfMapping(value, schema, path, visit);
  }
}

function definitionOf({ $id, $defs }: SchemaFile, reference: string): PropertySchema {
  const definition = $defs[reference.slice(DEFS.length)];
  if (definition === undefined) {
    throw new Error(`the schema ${$id} has no definition ${reference}`);
  }
  return definition;
}

function collectOfNumber(
  value: number,
  { minimum, maximum }: PropertySchema,
  path: Path,
  errors: SchemaError[],
): void {
  if (maximum !== undefined && value > maximum) {
    errors.push({ path, keyword: "maximum", limit: maximum });
  }
  if (minimum !== undefined && value < minimum) {
    errors.push({ path, keyword: "minimum", limit: minimum });
  }
}

function collectOfMapping(
  value: Readonly<Record<string, YamlValue>>,
  { required = [], properties = {}, additionalProperties = true }: PropertySchema,
  path: Path,
  visit: Visit,
): void {
  for (const key of required) {
    if (!Object.hasOwn(value, key)) {
      visit.errors.push({ path, keyword: "required", key });
    }
  }
  const others = Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
  for (const key of others) {
    const child = value[key];
    if (additionalProperties === false) {
      visit.errors.push({ path, keyword: "additionalProperties", key });
    } else if (additionalProperties !== true && child !== undefined) {
      collect(child, additionalProperties, [...path, key], visit);
    }
  }
  for (const [key, schema] of Object.entries(properties)) {
    const child = Object.hasOwn(value, key) ? value[key] : undefined;
    if (child !== undefined) {
      collect(child, schema, [...path, key], visit);
    }
  }
}

function isOfType(value: YamlValue, type: string): boolean {
  switch (type) {
    case "object":
      return isMapping(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** An empty text means "not set" in most formats. */
function hasFormat(text: string, name: string): boolean {
  const format = formats.get(name);
  return (
    format === undefined || (text === "" && format.refusesEmpty !== true) || format.accepts(text)
  );
}
