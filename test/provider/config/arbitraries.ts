import fc from "fast-check";
import type { ConfigDocument, YamlValue } from "../../../provider/config/machineConfig";

/** Texts that YAML readers and writers stumble over. */
const tricky = [
  "",
  " ",
  "a ",
  " a",
  "- a",
  "-",
  "a: b",
  "a:b",
  "a #b",
  "#",
  "? a",
  ": a",
  "|",
  ">",
  "%a",
  "@a",
  "`a",
  "!a",
  "&a",
  "*a",
  "{a",
  "[a",
  "a]",
  ",a",
  '"',
  "'",
  "it's",
  "a\\b",
  "<<",
  "---",
  "...",
  "yes",
  "off",
  "y",
  "null",
  "~",
  "true",
  "1",
  "0x1f",
  "0644",
  "08",
  "1_000",
  "1:30",
  "1e3",
  ".5",
  "+.inf",
  ".NaN",
  "-0",
  "2024-01-31",
  "2024-13-01",
  "1.2.3",
  "x".repeat(200),
  "a\nb",
  "a\n",
  "a\n\n",
  "\n",
  "\na",
  " a\nb",
  "a \nb",
  "a\n b",
  "a\tb",
  "a\r\nb",
  "\u0085",
  "\u2028",
];

/** Any text a document can hold, most of them such. */
export const yamlText = fc.oneof(
  fc.constantFrom(...tricky),
  fc.string({ unit: "grapheme" }),
  fc
    .array(fc.constantFrom("a", " ", "\n", ":", "#", "-", '"', "'", "\\", "1", "é"), {
      maxLength: 8,
    })
    .map((chars) => chars.join("")),
);

/** Any value a document can hold. */
export const yamlValue: fc.Arbitrary<YamlValue> = fc.letrec<{ value: YamlValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "medium" },
    yamlText,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(yamlText, tie("value"), { maxKeys: 4 }),
  ),
})).value;

/**
 * Any document that no description of Talos fits: its kind is unknown, so each value is free, and
 * what is written is what has to be read.
 */
export const yamlDocument: fc.Arbitrary<ConfigDocument> = fc
  .dictionary(yamlText, yamlValue, { maxKeys: 5 })
  .map((document) => ({ ...document, kind: "Unknown" }));
