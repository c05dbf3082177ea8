import { LruCache } from "../../../provider/config/lruCache";

/** What is made of texts, and which were made. */
function maker(limit: number) {
  const recent = new LruCache<{ readonly of: string }>(limit);
  const made: string[] = [];
  const get = (text: string) =>
    recent.get(text, () => {
      made.push(text);
      return { of: text };
    });
  return { get, made };
}

test("the result for a text is cached", () => {
  const { get, made } = maker(2);
  expect(get("a")).toEqual({ of: "a" });
  expect(get("a")).toBe(get("a"));
  expect(made).toEqual(["a"]);
});

test("the least recently used text is dropped first", () => {
  const { get, made } = maker(2);
  ["a", "b", "a", "c", "a", "b"].forEach(get);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

test("a failure is not cached", () => {
  const recent = new LruCache<string>(2);
  const fail = () => {
    throw new Error("no");
  };
  expect(() => recent.get("a", fail)).toThrow("no");
  expect(recent.get("a", () => "made")).toBe("made");
});
