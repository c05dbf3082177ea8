import * as fc from "fast-check";
import { cronProblem } from "../../../components/backup/cronProblem";

describe("cronProblem", () => {
  it.each([
    "0 */6 * * *",
    "*/15 0-6,12 1,15 jan-MAR sun",
    "5/10 ? * 12 0-6/2",
    "@hourly",
    "  0 3 * * 6 ",
  ])("accepts %s", (schedule) => {
    expect(cronProblem(schedule)).toBeUndefined();
  });

  it.each([
    ["", /0 \*\/6 \* \* \*/],
    ["* * * *", /has 4 fields, not 5/],
    ["0 0 * * * *", /has 6 fields, not 5/],
    [
      "60 24 0 13 7",
      /minute goes from 0 to 59; .*hour.*; .*month.*1 to 12; .*week goes from 0 to 6/,
    ],
    ["1-2-3 * * * *", /the minute/],
    ["5-1 * * * *", /the minute/],
    ["*/0 * * * *", /the minute/],
    ["*/5/5 * * * *", /the minute/],
    ["1,,2 * * * *", /the minute/],
    ["* * * monday *", /the month/],
    ["@every 5m", /of words there are @hourly/],
    ["TZ=UTC 0 3 * * *", /has 6 fields/],
  ])("rejects %j", (schedule, reason) => {
    expect(cronProblem(schedule)).toMatch(reason);
  });

  it("accepts exactly the minutes that a clock shows", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), (minute) => {
        expect(cronProblem(`${minute} * * * *`) === undefined).toBe(minute < 60);
      }),
    );
  });
});
