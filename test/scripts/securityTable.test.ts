import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const docs = join(__dirname, "../../docs");

describe("the table of who gets what", () => {
  const rows = readFileSync(join(docs, "security.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (?:-+|somebody who) /.test(line))
    .map((line) => line.split(" | "));

  it.each(rows.map(([who = "", ...cells]) => [who.replace("| ", "").trim(), cells] as const))(
    "has a test for somebody who %s",
    (_who, cells) => {
      expect(cells).toHaveLength(3);
      const files = [...(cells.at(-1) ?? "").matchAll(/\]\(([^)]+\.test\.ts)\)/g)];
      expect(files.length).toBeGreaterThan(0);
      for (const [, file = ""] of files) {
        expect([file, existsSync(join(docs, file))]).toEqual([file, true]);
      }
    },
  );

  it("has all rows", () => {
    expect(rows.length).toBeGreaterThan(14);
  });
});
