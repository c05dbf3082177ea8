import fc from "fast-check";
import { parse } from "yaml";
import { readYamlText } from "../../../../provider/config/yaml/yamlText";

describe("readYamlText", () => {
  it.each([
    [
      "a block",
      "|\n    machine:\n        type: worker\n\n    # end\n",
      "machine:\n    type: worker\n\n# end\n",
    ],
    ["a block without a last line feed", "|-\n    a\n    b\n", "a\nb"],
    ["a block that keeps all line feeds", "|+\n    a\n\n", "a\n\n"],
    ["a block that says how it is indented", "|4\n      a\n    b\n", "  a\nb\n"],
    ["a quoted text", '"a\\nb"', "a\nb"],
    ["a plain text", "a\n", "a"],
    ["a folded text", ">\n  a\n  b\n", "a b\n"],
    ["a block without lines", "|\n", ""],
  ])("reads %s", (_what, yaml, text) => {
    expect(readYamlText(yaml)).toBe(text);
  });

  it("reads every block as a parser does", () => {
    const line = fc.array(
      fc.constantFrom(
        " ",
        "  ",
        "\t",
        "a",
        ":",
        "#",
        "-",
        "---",
        "...",
        "ü",
        "\r",
        "\u2028",
        "😀",
        "'",
      ),
      { maxLength: 5 },
    );
    const block = fc.tuple(
      fc.constantFrom("|", "|-", "|+"),
      fc.array(fc.tuple(fc.constantFrom("", " ", "    ", "     "), line), { maxLength: 6 }),
      fc.constantFrom("", "\n"),
    );
    fc.assert(
      fc.property(block, ([header, lines, end]) => {
        const yaml = [header, ...lines.map(([indent, parts]) => indent + parts.join(""))].join(
          "\n",
        );
        const read = (reader: (text: string) => unknown) => {
          try {
            return String(reader(yaml + end));
          } catch {
            return undefined;
          }
        };
        expect(read(readYamlText)).toBe(read(parse));
      }),
      { numRuns: 3_000 },
    );
  });
});
