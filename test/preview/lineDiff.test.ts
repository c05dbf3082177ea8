import fc from "fast-check";
import { type ChangedLine, lineDiff } from "../../preview/lineDiff";
import type { Properties } from "../../preview/previewedResource";

type Tree = string | { [key: string]: Tree };

const tree: fc.Arbitrary<Properties> = fc.letrec<{ tree: Tree; map: Record<string, Tree> }>(
  (tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, fc.string({ maxLength: 2 }), tie("map")),
    map: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("tree"), { minKeys: 1, maxKeys: 3 }),
  }),
).map;

describe("lineDiff", () => {
  it("is empty between equal texts", () => {
    fc.assert(fc.property(tree, (one) => lineDiff(one, one).length === 0));
  });

  it("contains every step from one text to the other", () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        const lines = new Map(lineDiff(before, after).map((line) => [line.path.join("."), line]));
        const expected = new Map<string, Pick<ChangedLine, "before" | "after">>();
        const [olds, news] = [leaves(before), leaves(after)];
        for (const path of new Set([...olds.keys(), ...news.keys()])) {
          const [old, now] = [olds.get(path), news.get(path)];
          if (old !== now) {
            expected.set(path, { before: old, after: now });
          }
        }
        // where a text takes the place of a mapping it is one line, for all that was in it
        for (const [path, line] of lines) {
          const isWhole = typeof line.before === "object" || typeof line.after === "object";
          if (!isWhole) {
            expect(expected.get(path)).toEqual({ before: line.before, after: line.after });
          }
        }
        const told = (path: string) =>
          [...lines.keys()].some((other) => path === other || path.startsWith(`${other}.`));
        expect([...expected.keys()].filter((path) => !told(path))).toEqual([]);
      }),
    );
  });

  it("shows a mapping that becomes empty", () => {
    expect(lineDiff({ a: {} }, {})).toEqual([{ path: ["a"], before: {}, after: undefined }]);
  });
});

function leaves(value: Properties, path: readonly string[] = []): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([key, one]): [string, unknown][] =>
      typeof one === "object" && one !== null
        ? [...leaves(one as Properties, [...path, key])]
        : [[[...path, key].join("."), one]],
    ),
  );
}
