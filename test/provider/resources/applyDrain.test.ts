import { checkDrain, isOtherDrain } from "../../../provider/resources/applyDrain";
import { UNKNOWN } from "../../../provider/unknown";

describe("the choice of how a node is drained", () => {
  it("tells all that is wrong with it at once", () => {
    expect(checkDrain({ timeoutSeconds: 0, whenBlocked: "ignore" as never })).toEqual([
      {
        property: "drain.timeoutSeconds",
        reason: "0 is no time to drain a node: give 1 to 86400 seconds",
      },
      { property: "drain.whenBlocked", reason: '"ignore" is none of fail, proceed' },
    ]);
    expect(checkDrain({})).toEqual([]);
    expect(checkDrain(undefined)).toEqual([]);
  });

  it("is recorded anew when it is another one, but not only because an older release recorded none", () => {
    expect(isOtherDrain(undefined, { timeoutSeconds: 60 })).toBe(false);
    expect(isOtherDrain({ timeoutSeconds: 60 }, { timeoutSeconds: 60 })).toBe(false);
    expect(isOtherDrain({ timeoutSeconds: 60 }, { timeoutSeconds: 90 })).toBe(true);
    expect(isOtherDrain({ controlPlanes: ["10.0.0.4"] }, UNKNOWN as never)).toBe(true);
    expect(isOtherDrain({ timeoutSeconds: 60 }, undefined)).toBe(true);
  });
});
