import { freeze, isFrozen, memoized } from "../../../provider/config/frozenMemo";

/** Counts the words of lists, and how often it did. */
function counter() {
  const made: unknown[] = [];
  const once = memoized((words: readonly string[], times: number) => {
    made.push(words);
    return { count: words.length * times };
  });
  const count = (words: readonly string[], times = 1) => once(words, times);
  return { count, made };
}

test("the parts of a frozen value are frozen with it", () => {
  const value = freeze({ list: [{ a: 1 }], text: "text" });
  expect(isFrozen(value.list[0])).toBe(true);
  expect(() => value.list.push({ a: 2 })).toThrow(TypeError);
  expect(isFrozen({ ...value })).toBe(false);
  expect(isFrozen(freeze("text"))).toBe(false);
});

test("the result for a frozen value is computed once, and frozen too", () => {
  const { count, made } = counter();
  const words = freeze(["a", "b"]);
  expect(count(words)).toEqual({ count: 2 });
  expect(count(words)).toBe(count(words));
  expect(made).toHaveLength(1);
  expect(isFrozen(count(words))).toBe(true);
});

test("the result is computed again for another dependency", () => {
  const { count } = counter();
  const words = freeze(["a", "b"]);
  expect([count(words), count(words, 2), count(words)].map((made) => made.count)).toEqual([
    2, 4, 2,
  ]);
});

test("the result for a mutable value is computed each time, also if another module froze it", () => {
  const { count, made } = counter();
  const words = ["a"];
  count(words);
  words.push("b");
  expect(count(words)).toEqual({ count: 2 });
  Object.freeze(words);
  count(words);
  expect(made).toHaveLength(3);
});
