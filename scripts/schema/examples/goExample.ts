import { languageNames } from "../../reference/languageNames";
import { type ExampleResource, type ExampleValue, Reference, referencesIn } from "./exampleProgram";
import { type ExampleTypes, nameOf, type ValueSchema } from "./exampleTypes";
import { block } from "./writeLiterals";

const TAB = "\t";
const { property: field } = languageNames.go;

/** What Go calls a scalar: as itself, as one that may be left out, and as one that may be an output. */
const SCALARS = {
  string: { plain: "string", optional: "pulumi.StringRef", input: "pulumi.String" },
  integer: { plain: "int", optional: "pulumi.IntRef", input: "pulumi.Int" },
  number: { plain: "float64", optional: "pulumi.Float64Ref", input: "pulumi.Float64" },
  boolean: { plain: "bool", optional: "pulumi.BoolRef", input: "pulumi.Bool" },
} as const;

/** The example in Go. */
export function goExample(example: readonly ExampleResource[], types: ExampleTypes): string {
  const used = new Set(
    example.flatMap(({ properties }) => referencesIn(properties)).map(({ resource }) => resource),
  );
  const resources = example.flatMap(({ name, token, properties }, index) => {
    const { properties: schemas = {}, required = [] } = types.argumentsOf(token);
    const type = nameOf(token);
    const args = fields(properties, schemas, required, types);
    const made = `talosaws.New${type}(ctx, ${JSON.stringify(name)}, ${block({ open: `&talosaws.${type}Args{`, close: "})" }, args, TAB)}`;
    const isNew = used.has(name) || index === 0;
    return [
      `${used.has(name) ? name : "_"}, err ${isNew ? ":=" : "="} ${made}`,
      ["if err != nil {", `${TAB}return err`, "}"].join("\n"),
    ];
  });
  const body = [...resources, "return nil"].join("\n").replaceAll(/^/gm, TAB + TAB);
  return [
    "package main",
    "",
    "import (",
    `${TAB}"github.com/pulumi-talos-aws/pulumi-talos-aws/sdk/go/talosaws"`,
    `${TAB}"github.com/pulumi/pulumi/sdk/v3/go/pulumi"`,
    ")",
    "",
    "func main() {",
    `${TAB}pulumi.Run(func(ctx *pulumi.Context) error {`,
    body,
    `${TAB}})`,
    "}",
  ].join("\n");
}

type Values = Readonly<Record<string, ExampleValue>>;

function fields(
  values: Values,
  schemas: Readonly<Record<string, ValueSchema>>,
  required: readonly string[],
  types: ExampleTypes,
): string[] {
  const pairs = Object.entries(values).map(([name, value]) => {
    const schema = schemas[name] ?? {};
    return [`${field(name)}:`, valueIn(value, schema, types, !required.includes(name))] as const;
  });
  return aligned(pairs);
}

/** Lines of keys and values as gofmt aligns them: values on one line, beside those of the lines next to them. */
function aligned(pairs: readonly (readonly [key: string, value: string])[]): string[] {
  const isOneLine = (index: number) => pairs[index]?.[1].includes("\n") === false;
  return pairs.map(([key, value], index) => {
    if (!isOneLine(index)) {
      return `${key} ${value}`;
    }
    let [from, to] = [index, index];
    while (isOneLine(from - 1)) {
      from--;
    }
    while (isOneLine(to + 1)) {
      to++;
    }
    const widths = pairs.slice(from, to + 1).map(([each]) => each.length);
    return `${key.padEnd(Math.max(...widths))} ${value}`;
  });
}

/** @param isOptional whether the place of the value may be empty */
function valueIn(
  value: ExampleValue,
  schema: ValueSchema,
  types: ExampleTypes,
  isOptional = false,
): string {
  if (value instanceof Reference) {
    const keys = value.keys.map((key) => `.MapIndex(pulumi.String(${JSON.stringify(key)}))`);
    return `${value.resource}.${field(value.output)}${keys.join("")}`;
  }
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    const inside = value.map((item: ExampleValue) => valueIn(item, items, types));
    return `${listType(schema, types)}{${inside.join(", ")}}`;
  }
  return typeof value === "object"
    ? mappingIn(value as Values, schema, types, isOptional)
    : scalarIn(value, schema, types, isOptional);
}

function scalarIn(
  value: string | number | boolean,
  schema: ValueSchema,
  types: ExampleTypes,
  isOptional: boolean,
): string {
  const named = types.named(schema);
  const text = JSON.stringify(value);
  if (named !== undefined) {
    if (schema.plain === true && isOptional) {
      throw new Error(
        `Go has no short form for an optional "${named.name}": leave it out of the example`,
      );
    }
    return `talosaws.${named.name}(${text})`;
  }
  const kind = typeof value === "number" ? "integer" : (typeof value as "string" | "boolean");
  const names = SCALARS[(schema.type as keyof typeof SCALARS | undefined) ?? kind];
  const wrapped = schema.plain === true ? (isOptional ? names.optional : undefined) : names.input;
  return wrapped === undefined ? text : `${wrapped}(${text})`;
}

function mappingIn(
  value: Values,
  schema: ValueSchema,
  types: ExampleTypes,
  isOptional: boolean,
): string {
  const named = types.named(schema);
  if (named !== undefined) {
    const { name, properties = {}, required = [] } = named;
    const isPointer = isOptional || schema.plain !== true;
    const open = `${isPointer ? "&" : ""}talosaws.${name}Args{`;
    return block({ open, close: "}" }, fields(value, properties, required, types), TAB);
  }
  const { additionalProperties = {} } = schema;
  const pairs = Object.entries(value).map(
    ([name, each]) =>
      [`${JSON.stringify(name)}:`, valueIn(each, additionalProperties, types)] as const,
  );
  return block({ open: `${mapType(schema, types)}{`, close: "}" }, aligned(pairs), TAB);
}

function listType({ plain, items }: ValueSchema, types: ExampleTypes): string {
  return plain === true ? `[]${elementOf(items, types)}` : `${inputOf(items, types)}Array`;
}

function mapType({ plain, additionalProperties }: ValueSchema, types: ExampleTypes): string {
  return plain === true
    ? `map[string]${elementOf(additionalProperties, types)}`
    : `${inputOf(additionalProperties, types)}Map`;
}

/** The type of an element of a plain list or map. */
function elementOf(schema: ValueSchema | undefined, types: ExampleTypes): string {
  const named = schema && types.named(schema);
  if (schema?.plain !== true) {
    return `${inputOf(schema, types)}Input`;
  }
  if (named !== undefined) {
    return `talosaws.${named.name}${named.enum === undefined ? "Args" : ""}`;
  }
  if (schema.items !== undefined) {
    return listType(schema, types);
  }
  return schema.additionalProperties === undefined
    ? SCALARS[schema.type as keyof typeof SCALARS].plain
    : mapType(schema, types);
}

/** The stem of the names that Go gives to inputs of a type. */
function inputOf(schema: ValueSchema | undefined, types: ExampleTypes): string {
  const named = schema && types.named(schema);
  if (named !== undefined) {
    return `talosaws.${named.name}`;
  }
  const { type } = schema ?? {};
  return type !== undefined && type in SCALARS
    ? SCALARS[type as keyof typeof SCALARS].input
    : "pulumi.";
}
