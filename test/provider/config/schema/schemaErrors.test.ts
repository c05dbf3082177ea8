import Ajv2020, { type ErrorObject } from "ajv/dist/2020";
import fc from "fast-check";
import { freeze } from "../../../../provider/config/frozenMemo";
import type { YamlValue } from "../../../../provider/config/machineConfig";
import type { PropertySchema, SchemaFile } from "../../../../provider/config/schema/configSchema";
import { formats } from "../../../../provider/config/schema/formats";
import { type SchemaError, schemaErrors } from "../../../../provider/config/schema/schemaErrors";
import { newestSchema, talosSchema } from "../../../../provider/config/schema/talosSchemas";

const KEYWORDS = [
  "$ref",
  "type",
  "format",
  "enum",
  "minimum",
  "maximum",
  "required",
  "items",
  "properties",
  "additionalProperties",
  "deprecated",
];

/** All schemas within one, itself too. */
function within(schema: PropertySchema): PropertySchema[] {
  const { items, properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? [additionalProperties] : [];
  const parts = [...(items ? [items] : []), ...Object.values(properties), ...others];
  return [schema, ...parts.flatMap(within)];
}

test.each(["v1.10", "v1.11", "v1.12", "v1.13"])(
  "the schema of %s has only supported keywords",
  (version) => {
    const schemas = Object.values(talosSchema(version).file.$defs).flatMap(within);
    const words = new Set(schemas.flatMap((schema) => Object.keys(schema)));
    const ours = [...words].filter((word) => !word.startsWith("x-"));
    expect(ours.filter((word) => !KEYWORDS.includes(word))).toEqual([]);
  },
);

/** Values for a schema: most are what it asks for, some are something else. */
function valueFor(file: SchemaFile, schema: PropertySchema, depth = 4): fc.Arbitrary<YamlValue> {
  const wrong: fc.Arbitrary<YamlValue> = fc.oneof(
    fc.constantFrom<YamlValue>(null, "", "?", -1, 0, 1.5, 70_000, true),
    fc.constant<YamlValue>([]).map(() => []),
    fc.constant("x").map((key) => ({ [key]: 1 })),
  );
  return fc.oneof(
    { weight: 12, arbitrary: fitting(file, schema, depth) },
    { weight: 1, arbitrary: wrong },
  );
}

function fitting(file: SchemaFile, schema: PropertySchema, depth: number): fc.Arbitrary<YamlValue> {
  if (schema.$ref !== undefined) {
    const definition = file.$defs[schema.$ref.replace("#/$defs/", "")];
    return definition ? fitting(file, definition, depth) : fc.constant(null);
  }
  const { type, items, properties = {}, additionalProperties } = schema;
  const types = typeof type === "string" ? [type] : (type ?? []);
  if (items !== undefined) {
    return fc.array(valueFor(file, items, depth - 1), { maxLength: depth > 0 ? 2 : 0 });
  }
  if (types.includes("object") || types.length === 0) {
    const known = Object.entries(properties).map(
      ([key, property]) => [key, valueFor(file, property, depth - 1)] as const,
    );
    const other = typeof additionalProperties === "object" ? additionalProperties : {};
    const record =
      depth > 0 ? fc.record(Object.fromEntries(known), { requiredKeys: [] }) : fc.constant({});
    return fc
      .tuple(record, fc.option(depth > 0 ? valueFor(file, other, depth - 2) : fc.constant(1)))
      .map(([mapping, extra]) => (extra === null ? mapping : { ...mapping, other: extra }));
  }
  const words = ["10.0.0.1", "10s", "aGk=", "https://a", "1GiB", "a", ...(schema.enum ?? [])];
  const scalars: Record<string, fc.Arbitrary<YamlValue>> = {
    string: fc.constantFrom(...words),
    boolean: fc.boolean(),
    integer: fc.constantFrom(0, 1, 443, 70_000, -70_000),
    number: fc.constantFrom(0, 0.5),
  };
  return fc.oneof(...types.map((name) => scalars[name] ?? fc.constant(null)));
}

/** What both say of an error, in the same words. */
const ours = ({ path, ...error }: SchemaError) => {
  const at = path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  const detail = "key" in error ? error.key : "format" in error ? error.format : "";
  return `${at.join("")} ${error.keyword} ${detail}`;
};
const theirs = ({ instancePath, keyword, params }: ErrorObject) => {
  const { missingProperty, additionalProperty, format } = params as Record<string, string>;
  return `${instancePath} ${keyword} ${missingProperty ?? additionalProperty ?? format ?? ""}`;
};

test("it finds the same errors as a general validator, in the same order", () => {
  const { file } = newestSchema;
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  for (const [name, { accepts, refusesEmpty = false }] of formats) {
    ajv.addFormat(name, (text: string) => (text === "" && !refusesEmpty) || accepts(text));
  }
  ajv.addSchema(file);
  let found = 0;
  for (const { type } of file["x-documents"]) {
    const validate = ajv.compile({ $ref: `${file.$id}#/$defs/${type}` });
    fc.assert(
      fc.property(valueFor(file, { $ref: `#/$defs/${type}` }), (value) => {
        validate(value);
        const expected = (validate.errors ?? []).map(theirs);
        found += expected.length;
        expect(schemaErrors(value, file, type).map(ours)).toEqual(expected);
        // What is frozen is remembered where it is right, and told again where it isn't.
        const frozen = freeze(structuredClone(value));
        for (let times = 0; times < 2; times += 1) {
          expect(schemaErrors(frozen, file, type).map(ours)).toEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  }
  expect(found).toBeGreaterThan(1_000);
});
