import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const docs = join(__dirname, "../../docs");

/** Whether a test is called so, or a test for each of some cases. */
function isTitle(title: string, source: string): boolean {
  const [before = ""] = source.split(JSON.stringify(title));
  return before !== source && /(?:\b(?:it|test|step|steppingIt)|\))\(\s*$/.test(before);
}

describe("the table of who gets what", () => {
  const rows = readFileSync(join(docs, "security.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:-+|somebody who) /.test(line))
    .map((line) => line.split(" | "));

  it.each(rows.map(([who = "", ...cells]) => [who.replace("| ", "").trim(), cells] as const))(
    "has a test for somebody who %s",
    (_who, cells) => {
      expect(cells).toHaveLength(3);
      const named = [
        ...(cells.at(-1) ?? "").matchAll(/\]\(([^)]+\.test\.ts)\)((?:[:,] "[^"]+")*)/g),
      ];
      expect(named.length).toBeGreaterThan(0);
      for (const [, file = "", list = ""] of named) {
        expect([file, existsSync(join(docs, file))]).toEqual([file, true]);
        const source = readFileSync(join(docs, file), "utf8");
        const titles = [...list.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => title);
        expect([file, titles.length > 0]).toEqual([file, true]);
        expect(titles.filter((title) => !isTitle(title, source))).toEqual([]);
      }
    },
  );

  it("has all rows", () => {
    expect(rows.length).toBeGreaterThan(14);
  });
});
