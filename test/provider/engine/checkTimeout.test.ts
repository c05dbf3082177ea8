import fc from "fast-check";
import { UNKNOWN } from "../../../provider/base/unknown";
import { checkTimeout } from "../../../provider/engine/checkTimeout";

describe("checkTimeout", () => {
  it("accepts up to a day", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, minExcluded: true, max: 86_400, noNaN: true }), (seconds) => {
        expect(checkTimeout(seconds)).toEqual([]);
      }),
    );
  });

  it.each([0, -1, 86_400.5, Number.NaN, Number.POSITIVE_INFINITY])("rejects %d", (seconds) => {
    expect(checkTimeout(seconds)).toEqual([
      {
        property: "timeoutSeconds",
        reason: `${seconds} is no valid time to wait: give more than 0 and at most 86400 seconds`,
      },
    ]);
  });

  it("accepts an unknown time", () => {
    expect(checkTimeout(UNKNOWN as never)).toEqual([]);
  });
});
