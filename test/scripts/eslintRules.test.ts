import { join } from "node:path";
import { Linter } from "eslint";
import tseslint from "typescript-eslint";

let dialect: object;
beforeAll(async () => {
  const path = join(__dirname, "../../scripts/eslintRules.mjs");
  ({ dialect } = (await import(path)) as { dialect: object });
});

function config(rule: string): Linter.Config[] {
  return [
    {
      languageOptions: { parser: tseslint.parser },
      plugins: { dialect },
      rules: { [`dialect/${rule}`]: "error" },
    },
  ];
}

/** What a rule makes of a text: all of its messages, and the text once it is fixed. */
function lint(rule: string, text: string) {
  const linter = new Linter();
  const messages = linter.verify(text, config(rule)).map(({ message }) => message);
  return { messages, fixed: linter.verifyAndFix(text, config(rule)).output };
}

describe("the dialect of this repository", () => {
  test.each([
    [
      "private-keyword",
      "class A { #count = 0; next() { return ++this.#count; } }",
      "class A { private count = 0; next() { return ++this.count; } }",
    ],
    [
      "constant-case",
      "const pauseMs = 100; wait({ pauseMs });",
      "const PAUSE_MS = 100; wait({ pauseMs: PAUSE_MS });",
    ],
    [
      "import-order",
      'import { b } from "./b";\nimport { x } from "x";\nimport { join } from "node:path";',
      'import { join } from "node:path";\nimport { x } from "x";\nimport { b } from "./b";',
    ],
    [
      "throws-without-braces",
      "/** @throws {RangeError} when negative */",
      "/** @throws RangeError when negative */",
    ],
  ])("%s fixes its problems", (rule, text, expected) => {
    const { messages, fixed } = lint(rule, text);
    expect(messages).toHaveLength(1);
    expect(fixed).toBe(expected);
    expect(lint(rule, fixed).messages).toEqual([]);
  });

  test.each([
    ["private-keyword", "class A { get #x() { return 1; } set #x(value) {} }"],
    ["constant-case", "const a = 1; const A = 2;"],
    ["import-order", 'import { b } from "./b";\n// says why\nimport { x } from "x";'],
  ])("%s does not fix what isn't safe to fix", (rule, text) => {
    const { messages, fixed } = lint(rule, text);
    expect(messages).not.toEqual([]);
    expect(fixed).toBe(text);
  });

  test.each([
    [
      "constant-case",
      "const isOn = true; const kinds = ['a']; function f() { const ms = 1; return ms; }",
    ],
    [
      "import-order",
      'import "reflect-metadata";\nimport { x } from "@a/x";\nimport { a } from "./a";',
    ],
  ])("%s accepts this", (rule, text) => {
    expect(lint(rule, text).messages).toEqual([]);
  });
});
