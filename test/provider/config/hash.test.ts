import fc from "fast-check";
import { hashDocuments } from "../../../provider/config/hash";
import { isMapping, type YamlValue } from "../../../provider/config/machineConfig";
import { decodeDocuments, encodeDocuments } from "../../../provider/config/yaml/encode";
import { yamlDocument } from "./arbitraries";

test("does not depend on the order of keys and documents", () => {
  fc.assert(
    fc.property(
      fc.array(yamlDocument, { maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      (documents, random) => {
        const shuffled = documents.map((document) => shuffle(document, random)).reverse();
        expect(hashDocuments(shuffled.filter(isMapping))).toBe(hashDocuments(documents));
      },
    ),
  );
});

test("survives writing and reading", () => {
  fc.assert(
    fc.property(fc.array(yamlDocument, { maxLength: 3 }), (documents) => {
      expect(hashDocuments(decodeDocuments(encodeDocuments(documents)))).toBe(
        hashDocuments(documents),
      );
    }),
  );
});

test.each([
  ["a number where Talos reads text", "machine: {sysctls: {a: 1}}", 'machine: {sysctls: {a: "1"}}'],
  [
    "an empty field",
    "machine: {certSANs: [], network: {nameservers: []}}",
    "machine: {network: {}}",
  ],
  [
    "another way to write a duration",
    "machine: {time: {bootTimeout: 90s}}",
    "machine: {time: {bootTimeout: 1m30s}}",
  ],
  ["comments and style", "machine: {type: worker} # x", "machine:\n  type: 'worker'\n"],
])("is the same in spite of %s", (_, left, right) => {
  expect(hashDocuments(decodeDocuments(left))).toBe(hashDocuments(decodeDocuments(right)));
});

test.each([
  ["a value", "machine: {type: worker}", "machine: {type: controlplane}"],
  ["the order of a list", "machine: {certSANs: [a, b]}", "machine: {certSANs: [b, a]}"],
  ["a switch that is off instead of not set", "debug: false", "version: v1alpha1"],
  ["a document", "debug: true", "debug: true\n---\n{apiVersion: v1alpha1, kind: HostnameConfig}"],
  ["a list for a mapping", "{kind: X, a: [mapping]}", "{kind: X, a: {}}"],
])("changes with %s", (_, left, right) => {
  expect(hashDocuments(decodeDocuments(left))).not.toBe(hashDocuments(decodeDocuments(right)));
});

test("is SHA-256 in hex", () => {
  expect(hashDocuments([])).toMatch(/^[0-9a-f]{64}$/);
});

/** The same value with the keys of its mappings in another order. */
function shuffle(value: YamlValue, random: Iterator<number>): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => shuffle(item, random));
  }
  if (!isMapping(value)) {
    return value;
  }
  const entries = Object.entries(value).map(
    ([key, child]) => [Number(random.next().value), key, shuffle(child, random)] as const,
  );
  entries.sort(([a], [b]) => a - b);
  return Object.fromEntries(entries.map(([, key, child]) => [key, child]));
}
