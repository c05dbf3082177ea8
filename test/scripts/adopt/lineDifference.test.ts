import { lineDifference } from "../../../scripts/adopt/lineDifference";

it.each([
  ["a\nb", "a\nb", []],
  ["a\nb\nc", "a\nc", ["  a", "- b"]],
  ["a\nc", "a\nb\nc\nd", ["  a", "+ b", "  c", "+ d"]],
  ["a", "b", ["- a", "+ b"]],
])("of %j and %j", (before, after, lines) => {
  expect(lineDifference(before, after)).toEqual(lines);
});
