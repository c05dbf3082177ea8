import { readFileSync } from "node:fs";
import { readSelection, suiteOf } from "../../../scripts/testing/suites";

const files = [
  "test/provider/api/recovery.test.ts",
  "test/cli/up.test.ts",
  "test/components/network/cidr.test.ts",
  "test/engine/recovery.test.ts",
  "test/engine/drift.test.ts",
  "test/conformance/package.test.ts",
];
const selected = (...args: string[]) => {
  const { files: counts, words, title } = readSelection(args, files);
  return { counts: Object.fromEntries(counts), words, title };
};

describe("the words after npm test --", () => {
  it("select everything without arguments", () => {
    expect(selected()).toEqual({
      counts: { unit: 2, components: 1, engine: 2, conformance: 1 },
      words: [],
      title: undefined,
    });
  });

  it("name a suite and its files", () => {
    const { counts, words } = selected("engine", "recovery");
    expect({ counts, words }).toEqual({ counts: { engine: 1 }, words: ["recovery"] });
  });

  it("name several suites", () => {
    expect(selected("unit", "components").counts).toEqual({ unit: 2, components: 1 });
  });

  it("find files in every suite, and leave out suites without any", () => {
    expect(selected("recovery").counts).toEqual({ unit: 1, engine: 1 });
  });

  it("accept a test's name, which may also be the name of a suite", () => {
    const { counts, title } = selected("unit", "-t", "engine");
    expect({ counts, title }).toEqual({ counts: { unit: 2 }, title: "engine" });
  });

  it("are rejected if they match no file, with the allowed values", () => {
    expect(() => selected("engine", "nonsense")).toThrow(
      'no test file of engine has "nonsense" in its path: name a suite (unit, components, engine, conformance, life, languages)',
    );
  });

  it("are rejected if -t has no text", () => {
    expect(() => selected("-t")).toThrow("-t needs a part of a test's name");
  });
});

it("find files for every command that the README and the guide for contributors show", () => {
  const text = ["README.md", "CONTRIBUTING.md"]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const commands = [...text.matchAll(/npm test -- ([^#`|\n]+)/g)].map(([, words = ""]) =>
    words.trim(),
  );
  expect(commands.length).toBeGreaterThan(3);
  for (const words of commands) {
    expect(readSelection(words.split(/\s+/)).files.size).toBeGreaterThan(0);
  }
});

it.each([
  ["test/engine/drift.test.ts", "engine"],
  ["test/conformance/oracle/one.test.ts", "conformance"],
  ["test/emulator/aws/one.test.ts", "unit"],
])("%s belongs to %s", (file, suite) => {
  expect(suiteOf(file)).toBe(suite);
});
