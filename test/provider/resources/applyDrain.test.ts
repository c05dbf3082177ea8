import { checkDrain, isOtherDrain } from "../../../provider/resources/applyDrain";
import { UNKNOWN } from "../../../provider/unknown";

describe("the settings of a drain", () => {
  it("report all problems at once", () => {
    expect(checkDrain({ timeoutSeconds: 0, whenBlocked: "ignore" as never })).toEqual([
      {
        property: "drain.timeoutSeconds",
        reason: "0 is no valid time to drain a node: give 1 to 86400 seconds",
      },
      { property: "drain.whenBlocked", reason: '"ignore" is none of fail, proceed' },
    ]);
    expect(checkDrain({})).toEqual([]);
    expect(checkDrain(undefined)).toEqual([]);
  });

  it("are recorded when they change, but not only because an older release recorded none", () => {
    expect(isOtherDrain(undefined, { timeoutSeconds: 60 })).toBe(false);
    expect(isOtherDrain({ timeoutSeconds: 60 }, { timeoutSeconds: 60 })).toBe(false);
    expect(isOtherDrain({ timeoutSeconds: 60 }, { timeoutSeconds: 90 })).toBe(true);
    expect(isOtherDrain({ timeoutSeconds: 60 }, UNKNOWN as never)).toBe(true);
    expect(isOtherDrain({ timeoutSeconds: 60 }, undefined)).toBe(true);
  });

  it("are kept while the recorded control plane machine exists", () => {
    const drain = (...controlPlanes: string[]) => ({ controlPlanes, removeNode: true });
    expect(isOtherDrain(drain("10.0.0.4"), drain("10.0.0.4", "10.0.1.4"))).toBe(false);
    expect(isOtherDrain(drain("10.0.0.4", "10.0.1.4"), drain(UNKNOWN, "10.0.1.4"))).toBe(false);
    expect(isOtherDrain(drain("10.0.0.4"), drain("10.0.0.9"))).toBe(true);
    expect(isOtherDrain(drain("10.0.0.4"), drain(UNKNOWN))).toBe(false);
    const unknown = { controlPlanes: UNKNOWN as never, removeNode: true };
    expect(isOtherDrain(drain("10.0.0.4"), unknown)).toBe(false);
    expect(isOtherDrain(drain("10.0.0.4"), { ...drain("10.0.0.4"), removeNode: false })).toBe(true);
  });
});
