import { goDuration } from "../../../../emulator/talos/rpc/times";

describe("a duration in Go's notation", () => {
  test.each([
    [0, "0s"],
    [150, "150ms"],
    [5000, "5s"],
    [1500, "1.5s"],
    [60_000, "1m0s"],
    [3_605_000, "1h0m5s"],
  ])("%d ms is %s", (durationMs, expected) => {
    expect(goDuration(durationMs)).toBe(expected);
  });
});
