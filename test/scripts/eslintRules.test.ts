import { join } from "node:path";
import { Linter } from "eslint";
import ts from "typescript";
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

  it("finds properties that only defined() takes", () => {
    const text = `
      declare function defined<T extends object>(object: T): Partial<T>;
      declare function make(args: { readonly name?: string; readonly size?: number }): void;
      make(defined({ name: "a", siez: 1 }));
      make(defined({ name: "a", size: 1 }));`;
    const path = "/repository/made.ts";
    const parserOptions = { programs: [programOf(path, text)] };
    const messages = verify("defined-properties", text, { path, parserOptions });
    expect(messages).toEqual([
      "Leave out siez, which { readonly name?: string; readonly size?: number; } doesn't have.",
    ]);
  });

  it.each([
    ["cli/status/a.ts", "../../provider/base/clock", "provider/base"],
    ["plugin/a.ts", "../schema/checkShape", "schema"],
    ["cli/status/a.ts", "../../provider/base", undefined],
    ["provider/config/a.ts", "../base/clock", undefined],
    ["provider/config/a.ts", "./schema/readSchema", undefined],
    ["emulator/a.ts", "../provider/api/gen/machine/machine", undefined],
  ])("in %s, %s is to come from %s", (file, source, room) => {
    const options = [{ rooms: ["cli", "plugin", "provider", "schema"], deep: ["provider"] }];
    const text = `import { a } from "${source}";`;
    const messages = verify("room-index", text, { path: `/repository/${file}`, options });
    const message = `Import from ${room}, and name in ${room}/index.ts what it gives away.`;
    expect(messages).toEqual(room === undefined ? [] : [message]);
  });
});

/** The messages of a rule for a file of a repository at `/repository`. */
function verify(
  rule: string,
  text: string,
  {
    path,
    options = [],
    parserOptions = {},
  }: {
    readonly path: string;
    readonly options?: readonly unknown[];
    readonly parserOptions?: Linter.ParserOptions;
  },
): string[] {
  const config: Linter.Config = {
    files: ["**/*.ts"],
    languageOptions: { parser: tseslint.parser, parserOptions },
    plugins: { dialect },
    rules: { [`dialect/${rule}`]: ["error", ...options] },
  };
  const linter = new Linter({ cwd: "/repository" });
  return linter.verify(text, [config], path).map(({ message }) => message);
}

/** A program of one file, with TypeScript's own declarations. */
function programOf(path: string, text: string): ts.Program {
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
  };
  const host = ts.createCompilerHost(options);
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  return ts.createProgram([path], options, {
    ...host,
    fileExists: (name) => name === path || host.fileExists(name),
    readFile: (name) => (name === path ? text : host.readFile(name)),
    getSourceFile: (name, ...rest) => (name === path ? file : host.getSourceFile(name, ...rest)),
  });
}
