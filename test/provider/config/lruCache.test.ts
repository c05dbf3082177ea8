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

test("what was made of a text is there for the next one who asks", () => {
  const { get, made } = maker(2);
  expect(get("a")).toEqual({ of: "a" });
  expect(get("a")).toBe(get("a"));
  expect(made).toEqual(["a"]);
});

test("of more texts than are kept goes the one that nobody has asked for the longest", () => {
  const { get, made } = maker(2);
  ["a", "b", "a", "c", "a", "b"].forEach(get);
  expect(made).toEqual(["a", "b", "c", "b"]);
});

test("what fails is tried again", () => {
  const recent = new LruCache<string>(2);
  const fail = () => {
    throw new Error("no");
  };
  expect(() => recent.get("a", fail)).toThrow("no");
  expect(recent.get("a", () => "made")).toBe("made");
});
