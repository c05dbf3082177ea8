import fc from "fast-check";
import { unifiedDiff } from "../../../../emulator/talos/config/unifiedDiff";

describe("a unified difference", () => {
  test("is empty between equal texts", () => {
    expect(unifiedDiff("a\nb\n", "a\nb\n")).toBe("");
  });

  test("has three lines of context and counts them", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    expect(unifiedDiff(before, before.replace("5\n", "five\nmore\n"))).toBe(
      "--- a\n+++ b\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+more\n 6\n 7\n 8\n",
    );
  });

  test("puts near changes into one hunk and far ones into two", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const change = (...changed: number[]) =>
      lines.map((line, index) => (changed.includes(index) ? `${line}!` : line)).join("\n");
    const hunks = (text: string) => text.split("\n").filter((line) => line.startsWith("@@")).length;
    expect(hunks(unifiedDiff(change(), change(5, 10)))).toBe(1);
    expect(hunks(unifiedDiff(change(), change(5, 20)))).toBe(2);
  });

  test("from nothing and to nothing", () => {
    expect(unifiedDiff("", "a\n")).toBe("--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n");
    expect(unifiedDiff("a\n", "")).toBe("--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n");
  });

  test("turns one text into the other", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "d: 1", "- e", ""), { maxLength: 30 })
      .map((lines) => lines.map((line) => `${line}\n`).join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyDiff(before, unifiedDiff(before, after))).toBe(after);
        expect(applyDiff(after, unifiedDiff(after, before))).toBe(before);
      }),
    );
  });
});

/** A patch program: takes each hunk at its place and checks what it says was there. */
function applyDiff(before: string, difference: string): string {
  const old = before.split("\n").slice(0, -1);
  const result: string[] = [];
  let position = 0;
  for (const line of difference.split("\n").slice(0, -1)) {
    const header = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (header) {
      const start = Number(header[1]) - (header[2] === "0" ? 0 : 1);
      while (position < start) {
        result.push(old[position++] ?? "");
      }
    } else if (line.startsWith("+++") || line.startsWith("---")) {
      continue;
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
    } else {
      expect(old[position]).toBe(line.slice(1));
      if (line.startsWith(" ")) {
        result.push(line.slice(1));
      }
      position += 1;
    }
  }
  return [...result, ...old.slice(position)].map((line) => `${line}\n`).join("");
}
