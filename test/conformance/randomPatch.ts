import fc from "fast-check";
import type { Field, PropertySchema } from "../../provider/config/configSchema";
import type { ConfigDocument, YamlValue } from "../../provider/config/machineConfig";
import { talosSchema } from "../../provider/config/talosSchemas";

const schema = talosSchema("v1.12");

/** Texts of each format that Talos can read. */
const texts = new Map<string, readonly string[]>([
  ["base64", ["YWJj", "ZGVm"]],
  ["url", ["https://a.example.com:6443", "tcp://10.0.0.1:5000/p", "grpc://x:1?jointoken=abc"]],
  ["ip", ["10.0.0.1", "fd00::1"]],
  ["cidr", ["10.0.0.0/8", "192.168.1.0/24"]],
  ["ipPort", ["10.0.0.1:80", "[fd00::1]:443"]],
  ["hardwareAddress", ["02:00:00:00:00:01"]],
  ["duration", ["60s", "1h30m", "500ms"]],
  ["sizeCondition", [">= 10GB"]],
  ["portRange", ["100-200", "300-400"]],
]);

/**
 * Fields left out: of formats that a patch which does not name them empties in Talos; of words the
 * schema does not list; and deprecated ones that Talos writes in another unit.
 */
const skippedFormats = ["size", "sizeOrPercentage", "cel"];
const skippedFields = [
  "apiVersion",
  "kind",
  "version",
  "encryption",
  "table",
  "wakeOnLan",
  "disks",
];

/** A rule without a protocol Talos writes with a word that it does not read. */
const kinds = [...schema.documents.keys()].filter((kind) => kind !== "NetworkRuleConfig");

/** Any strategic merge patch of one document, by the schema. */
export const randomPatch: fc.Arbitrary<ConfigDocument> = fc
  .constantFrom("", "", "", "", ...kinds)
  .chain((kind) => documentOf(kind));

function documentOf(kind: string): fc.Arbitrary<ConfigDocument> {
  const known = schema.documents.get(kind);
  const content = struct(schema.file.$defs[known?.type ?? ""] ?? {}, 0);
  const name: fc.Arbitrary<ConfigDocument> =
    known?.named === true ? fc.record({ name: fc.constantFrom("one", "two") }) : fc.constant({});
  return kind === ""
    ? content.map((sections) => ({ machine: {}, ...sections }))
    : fc
        .tuple(content, name)
        .map(([fields, own]) => ({ apiVersion: "v1alpha1", kind, ...fields, ...own }));
}

function struct(definition: PropertySchema, depth: number): fc.Arbitrary<ConfigDocument> {
  const fields = Object.entries(definition.properties ?? {}).filter(
    ([name, property]) =>
      !skippedFields.includes(name) && !skippedFormats.includes(property.format ?? ""),
  );
  return fc
    .subarray(fields, { maxLength: Math.min(fields.length, Math.max(1, 4 - depth)) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(chosen.map(([name, property]) => [name, value(property, depth + 1)])),
      ),
    );
}

function value(property: PropertySchema, depth: number): fc.Arbitrary<YamlValue> {
  const { shape }: Field = schema.field(property);
  switch (shape.kind) {
    case "struct":
      return struct(schema.file.$defs[shape.type] ?? {}, depth);
    case "list":
      return fc.array(value(property.items ?? {}, depth + 1), { maxLength: 2 });
    case "map":
      return fc.dictionary(
        fc.constantFrom("a", "b", "k9", "k10"),
        value(property.additionalProperties as PropertySchema, depth + 1),
      );
    case "free":
      return fc.dictionary(
        fc.constantFrom("a", "b", "list"),
        fc.constantFrom<YamlValue>("x", 1, true),
        {
          maxKeys: 2,
        },
      );
    case "scalar":
      return scalar(property, shape.types[0]);
  }
}

function scalar(property: PropertySchema, type: string | undefined): fc.Arbitrary<YamlValue> {
  const words = property.enum ?? texts.get(property.format ?? "");
  if (words !== undefined) {
    return fc.constantFrom(...words);
  }
  switch (type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.constantFrom(0, 1, 7, 200);
    default:
      return fc.constantFrom("", "x", "eth0", "eth1", "a b", "1.10", "yes");
  }
}
