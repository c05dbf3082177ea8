import fc from "fast-check";
import { formatDuration, parseDuration } from "../../../../provider/config/schema/duration";

test.each([
  ["0", "0s"],
  ["60s", "1m0s"],
  ["90m", "1h30m0s"],
  ["36h", "36h0m0s"],
  ["1.5s", "1.5s"],
  ["250ms", "250ms"],
  ["1500us", "1.5ms"],
  ["3µs", "3µs"],
  ["7ns", "7ns"],
  ["-1h0.5m", "-1h0m30s"],
  [".5h", "30m0s"],
])("%s is %s, as Go writes it", (text, expected) => {
  expect(formatDuration(parseDuration(text) ?? -1n)).toBe(expected);
});

test.each(["", "5", "1d", "s", "1h 30m", "h1", "1..5s"])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test("every duration survives formatting and parsing", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (duration) => {
      expect(parseDuration(formatDuration(duration))).toBe(duration);
    }),
  );
});
