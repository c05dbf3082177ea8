import { parseSelector } from "../../../../emulator/talos/kubernetes/selector";

const labels = { role: "web", zone: "a", empty: "" };

describe("a selector", () => {
  test.each([
    ["", true],
    ["role=web", true],
    ["role==web,zone=b", false],
    ["role!=web", false],
    ["missing!=web", true],
    ["role", true],
    ["empty", true],
    ["!missing", true],
    ["!role", false],
    ["zone in (a, b),role=web", true],
    ["zone notin (a,b)", false],
    ["empty=", true],
  ])("%j matches: %s", (text, expected) => {
    expect(parseSelector(text)(labels)).toBe(expected);
  });

  test("that is invalid is rejected", () => {
    expect(() => parseSelector("a b c")).toThrow("unable to parse requirement: found 'a b c'");
  });
});
