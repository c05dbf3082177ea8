import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ConfigError } from "../../../../provider/config/configError";
import { talosSchemas } from "../../../../provider/config/schema/talosSchemas";
import { decodeDocuments, encodeDocuments } from "../../../../provider/config/yaml/encode";
import { yamlDocument } from "../arbitraries";
import { goldenConfigurations, newerGoldenFolder } from "../golden";

const testdata = join(__dirname, "../testdata");
const own = readdirSync(testdata, { recursive: true, encoding: "utf8" })
  .filter((file) => /(?:controlplane|worker|base|expected)\.yaml$/.test(file))
  .map((file) => [file, readFileSync(join(testdata, file), "utf8")] as const);

test.each([...own, ...goldenConfigurations()])("%s is written as Talos wrote it", (_, text) => {
  expect(encodeDocuments(decodeDocuments(text))).toBe(text);
});

const v113 = talosSchemas.get(13);
const v114 = talosSchemas.get(14);

const newer = goldenConfigurations(newerGoldenFolder).map(
  ([name, text]) =>
    [
      name,
      // One placeholder stands for all lines of a key.
      text.replaceAll(/\$\{[\w.]+ \| pem\}/g, "PEM"),
    ] as const,
);

test.skipIf(newer.length === 0).each(newer)(
  "v1.14, %s: is written as Talos wrote it",
  (_, text) => {
    // Talos writes this separator as it is. Other readers take it for the end of a line, so here it is
    // escaped.
    const escaped = text.replaceAll("'\u2028'", '"\\L"');
    expect(encodeDocuments(decodeDocuments(text, v114), v114)).toBe(escaped);
  },
);

test.each([...talosSchemas])("any documents survive writing and reading, v1.%i", (_, schema) => {
  fc.assert(
    fc.property(fc.array(yamlDocument, { maxLength: 3 }), (documents) => {
      expect(decodeDocuments(encodeDocuments(documents, schema), schema)).toEqual(documents);
    }),
    { numRuns: 300 },
  );
});

describe("writing, as go.yaml.in/yaml v4.0.0-rc.6 does in v1.14", () => {
  test.each([
    ["yes", "'yes'"],
    ["n", "'n'"],
    ["OFF", "'OFF'"],
    ["15:00", "'15:00'"],
    ["1:2:3", "'1:2:3'"],
    ["<<", "'<<'"],
    ["true", '"true"'],
    ["1500", '"1500"'],
    ["2024-01-31", '"2024-01-31"'],
    ["", '""'],
    ["\na", "|-\n\n    a"],
    ["\na\n", "|\n\n    a"],
    [" a\nb\n", "|4\n     a\n    b"],
    ["\n", '"\\n"'],
    // Talos reads its own text for this as another one.
    ["\n a", '"\\n a"'],
    ["a\u2028b", '"a\\Lb"'],
  ])("the text %j", (text, expected) => {
    expect(encodeDocuments([{ key: text }], v114)).toBe(`key: ${expected}\n`);
    expect(decodeDocuments(encodeDocuments([{ key: text }], v114), v114)).toEqual([{ key: text }]);
  });

  test("keys, and texts below a list", () => {
    const document = { yes: [{ off: "on" }, "\na"] };
    expect(encodeDocuments([document], v114)).toBe(
      "'yes':\n    - 'off': 'on'\n    - |-\n\n      a\n",
    );
  });

  test("arguments are written for YAML 1.2 readers", () => {
    const config = { cluster: { apiServer: { extraArgs: { a: "yes", b: "true", c: "15:00" } } } };
    expect(encodeDocuments([config], v114)).toContain(
      'a: yes\n            b: "true"\n            c: 15:00\n',
    );
  });

  test("releases before keep their bytes", () => {
    expect(encodeDocuments([{ key: "yes" }], v113)).toBe('key: "yes"\n');
    const installing = (release: string) => ({ machine: { install: { image: `a:${release}` } } });
    const bytes = (release: string) => encodeDocuments([installing(release), { key: "yes" }]);
    expect(bytes("v1.13.9")).toContain('key: "yes"\n');
    expect(bytes("v1.14.1")).toContain("key: 'yes'\n");
  });
});

describe("writing, as go.yaml.in/yaml v4.0.0-rc.3 does", () => {
  test.each([
    ["plain", "plain"],
    ["a: b", "'a: b'"],
    ["it's", "it's"],
    ["- it's", "'- it''s'"],
    ["yes", '"yes"'],
    ["off", '"off"'],
    ["1.10", '"1.10"'],
    ["0644", '"0644"'],
    ["1:30", '"1:30"'],
    ["2024-01-31", '"2024-01-31"'],
    ["2024-01-32", "2024-01-32"],
    ["", '""'],
    ["tab\there", '"tab\\there"'],
    [" lead", "' lead'"],
    ["emoji 😀", '"emoji \\U0001F600"'],
    ["é", "é"],
    ["a\u2028b", '"a\\Lb"'],
    ["a\nb\n", "|\n    a\n    b"],
    ["a\nb", "|-\n    a\n    b"],
    ["a\n\n", "|+\n    a\n"],
    [" a\nb\n", "|4\n     a\n    b"],
    ["a \nb\n", '"a \\nb\\n"'],
    ["\n", '"\\n"'],
  ])("the text %j", (text, expected) => {
    expect(encodeDocuments([{ key: text }], v113)).toBe(`key: ${expected}\n`);
  });

  test.each([
    [1, "1"],
    [1.5, "1.5"],
    [1234567.5, "1.2345675e+06"],
    [1e300, "1e+300"],
    [0.00001, "1e-05"],
    [-0, "-0"],
    [true, "true"],
    [null, "null"],
    [[], "[]"],
    [{}, "{}"],
  ])("the value %j", (value, expected) => {
    expect(encodeDocuments([{ key: value }], v113)).toBe(`key: ${expected}\n`);
  });

  test("indents by four, by two after a dash, and to the next multiple below that", () => {
    const value = { list: [{ name: "a", map: { key: ["x", ["y"]] }, text: "1\n2\n" }] };
    expect(encodeDocuments([value], v113)).toBe(
      [
        "list:",
        "    - name: a",
        "      map:",
        "        key:",
        "            - x",
        '            - - "y"',
        "      text: |",
        "        1",
        "        2",
        "",
      ].join("\n"),
    );
  });
});

describe("reading, as Talos does", () => {
  test("a text field keeps its spelling", () => {
    expect(decodeDocuments("machine: {nodeLabels: {version: 1.10, on: yes}}")).toEqual([
      { machine: { nodeLabels: { version: "1.10", on: "yes" } } },
    ]);
  });

  test("a boolean field accepts the words of YAML 1.1, a free one doesn't", () => {
    const text = "machine: {kubelet: {registerWithFQDN: yes, extraConfig: {a: yes}}}";
    expect(decodeDocuments(text)).toEqual([
      { machine: { kubelet: { registerWithFQDN: true, extraConfig: { a: "yes" } } } },
    ]);
  });

  test.each([
    ["0644", 420],
    ["0o644", 420],
    ["1_000", 1000],
    ["0x1f", 31],
    ["~", null],
    [".inf", Infinity],
    ["08", 8],
    ["2024-01-31", "2024-01-31"],
  ])("the bare word %s", (text, expected) => {
    expect(decodeDocuments(`free: ${text}`)).toEqual([{ free: expected }]);
  });

  test("anchors, references and merged keys", () => {
    const text = "a: &x {one: 1, two: 2}\nb: *x\nc: {<<: *x, two: 3}\n";
    const [document] = decodeDocuments(text);
    expect(document).toEqual({
      a: { one: 1, two: 2 },
      b: { one: 1, two: 2 },
      c: { one: 1, two: 3 },
    });
  });

  test("empty documents are left out", () => {
    expect(decodeDocuments("---\n# nothing\n---\na: 1\n---\n")).toEqual([{ a: 1 }]);
  });

  test("JavaScript's special keys are ordinary keys", () => {
    const [document] = decodeDocuments("__proto__: {constructor: 1}\n");
    expect(Object.keys(document ?? {})).toEqual(["__proto__"]);
  });
});

describe("unreadable text", () => {
  test.each([
    ["machine: [\n", "line 1: a bracket that is not closed before the indentation ends"],
    ["a: 1\na: 2\n", "line 2: a key that is already there: each key may be there once"],
    ["a:\n\tb: 1\n", "line 2: a tab: YAML is indented with spaces"],
    ["- a\n", "line 1: a document has to be a mapping of keys, this is a list"],
    ["null\n", "line 1: a document has to be a mapping of keys, this is a single value"],
    ["a: *b\n", 'line 1: "*b" refers to an anchor that does not exist'],
    [
      "a: 123456789012345678\n",
      "line 1: an integer beyond ±9007199254740991 can't be kept exactly: put it in quotes",
    ],
    [
      "a: !!binary abc\n",
      'line 1: the tag "tag:yaml.org,2002:binary" is not understood: remove it',
    ],
    ["[a]: 1\n", "line 1: a key has to be a single value"],
  ])("%j", (text, message) => {
    expect(() => decodeDocuments(text)).toThrow(new ConfigError([toProblem(message)]));
  });

  test("is reported for all documents at once, and never quoted", () => {
    const text = 'token: "s3cret\\q"\n---\nkey: @s3cret\n';
    const problems = problemsOf(() => decodeDocuments(text));
    expect(problems.map(({ document }) => document)).toEqual(["line 1", "line 3"]);
    expect(JSON.stringify(problems)).not.toContain("s3cret");
  });

  test("exponentially growing references are rejected", () => {
    const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 10; level++) {
      const reference = `*a${level - 1}`;
      lines.push(`a${level}: &a${level} [${Array(10).fill(reference).join(", ")}]`);
    }
    const problems = problemsOf(() => decodeDocuments(lines.join("\n")));
    expect(problems.map(({ message }) => message)).toEqual([
      "more than 1000 references to anchors: write the values out",
    ]);
  });

  test("a few references to a long text are rejected before they fill the memory", () => {
    const long = `a: &a [${Array(2_000).fill("x").join(", ")}]`;
    const references = `b: [${Array(900).fill("*a").join(", ")}]`;
    const problems = problemsOf(() => decodeDocuments(`${long}\n${references}\n`));
    expect(problems.map(({ message }) => message)).toEqual([
      "references to anchors that repeat more than 100000 values: write the values out",
    ]);
  });
});

function toProblem(message: string): { document: string; path: string; message: string } {
  const [document = "", ...rest] = message.split(": ");
  return { document, path: "", message: rest.join(": ") };
}

function problemsOf(action: () => unknown): ConfigError["problems"] {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
  return [];
}
