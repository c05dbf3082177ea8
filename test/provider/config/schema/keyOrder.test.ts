import fc from "fast-check";
import { compareKeys } from "../../../../provider/config/schema/keyOrder";

test("letters by code, numbers by value, short before long", () => {
  const keys = ["b", "a10", "a2", "B", "a", "a-b", "a1b", "1", "_x", "a02", "ab"];
  // the order of go.yaml.in/yaml v4.0.0-rc.3
  expect([...keys].sort(compareKeys)).toEqual([
    "_x",
    "1",
    "B",
    "a",
    "a-b",
    "a1b",
    "a2",
    "a02",
    "a10",
    "ab",
    "b",
  ]);
});

test("a key equals only itself", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(compareKeys(a, b) === 0).toBe(a === b);
      expect(Math.sign(compareKeys(a, b)) + Math.sign(compareKeys(b, a))).toBe(0);
    }),
  );
});
