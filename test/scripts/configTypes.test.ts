import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PropertySchema, SchemaFile } from "../../provider/config/schema/configSchema";
import { renderAcceptedTypes, renderConfigTypes } from "../../scripts/configTypes";
import { fieldAges } from "../../scripts/fieldAges";

test("the types of patches follow from the schemas", () => {
  const path = join(__dirname, "../../provider/config/gen/machineConfigPatch.ts");
  const rendered = renderAcceptedTypes();
  // else: node scripts/run.mjs generateConfigTypes
  expect(readFileSync(path, "utf8")).toBe(rendered);
});

/** A schema of one kind of document, `A`, whose type has these properties. */
function schema(
  minor: number,
  properties: Readonly<Record<string, PropertySchema>>,
  types: Readonly<Record<string, Readonly<Record<string, PropertySchema>>>> = {},
): SchemaFile {
  const definitions = Object.entries({ "v1alpha1.A": properties, ...types });
  return {
    $id: "",
    "x-talosVersion": `v1.${minor}.0`,
    "x-documents": [{ kind: "A", type: "v1alpha1.A", named: false }],
    $defs: Object.fromEntries(definitions.map(([name, fields]) => [name, { properties: fields }])),
  };
}

function rendered(properties: Readonly<Record<string, PropertySchema>>): string {
  const [, document = ""] = renderConfigTypes([schema(1, properties)]).split("type APatch = {\n");
  return document.slice(0, document.indexOf("  readonly $patch"));
}

test.each<readonly [string, PropertySchema, string]>([
  ["text", { type: "string" }, "  readonly a?: string | Deletion;"],
  ["a number", { type: "integer" }, "  readonly a?: number | Deletion;"],
  ["words", { type: "string", enum: ["x", "y"] }, '  readonly a?: "x" | "y" | Deletion;'],
  [
    "a list of words",
    { type: "array", items: { type: "string", enum: ["x", "y"] } },
    '  readonly a?: ("x" | "y")[] | Deletion;',
  ],
  [
    "one or several",
    { type: ["string", "array"], items: { type: "string" }, "x-mergeReplace": true },
    "  /** A patch replaces it. */\n  readonly a?: string | string[] | Deletion;",
  ],
  [
    "names of numbers",
    { type: "object", additionalProperties: { type: "number" } },
    "  readonly a?: Entries<number> | Deletion;",
  ],
  ["free fields", { type: "object" }, "  readonly a?: ConfigDocument | Deletion;"],
  ["anything", {}, "  readonly a?: YamlValue | Deletion;"],
  ["another type", { $ref: "#/$defs/v1alpha1.A" }, "  readonly a?: APatch;"],
  [
    "a file's mode",
    { type: "integer", "x-encode": "octal", deprecated: true },
    "  /**\n   * In octal, like 0o644.\n   * @deprecated Talos reads it, but documents it no more.\n   */\n  readonly a?: number | Deletion;",
  ],
])("%s", (_, property, expected) => {
  expect(rendered({ a: property })).toContain(`${expected}\n`);
});

test("a name that is invalid in TypeScript is quoted", () => {
  expect(rendered({ "a-b": { type: "boolean" } })).toContain('readonly "a-b"?: boolean');
});

test("a field is as old as its place, not as its type", () => {
  const text: PropertySchema = { type: "string" };
  const older = schema(
    10,
    { old: text, place: { type: "array", items: { $ref: "#/$defs/v1alpha1.B" } } },
    { "v1alpha1.B": { kept: text } },
  );
  const newer = schema(
    11,
    {
      old: text,
      added: text,
      place: { type: "array", items: { $ref: "#/$defs/v1alpha1.C" } },
      more: { $ref: "#/$defs/v1alpha1.D" },
    },
    { "v1alpha1.C": { kept: text, late: text }, "v1alpha1.D": { all: text } },
  );
  const { documents, fields } = fieldAges([older, newer]);
  expect([...documents]).toEqual([]);
  expect([...fields]).toEqual([
    ["v1alpha1.A.added", 11],
    ["v1alpha1.C.late", 11],
    ["v1alpha1.A.more", 11],
  ]);
});

test("a later document is as old as its release", () => {
  const { documents, fields } = fieldAges([
    { ...schema(10, {}), "x-documents": [] },
    schema(11, { a: { type: "string" } }),
  ]);
  expect([...documents]).toEqual([["A", 11]]);
  expect([...fields]).toEqual([]);
});
