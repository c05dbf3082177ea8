import { UNKNOWN } from "../../../provider/base/unknown";
import { checkOnDestroy, effectiveOnDestroy } from "../../../provider/engine/onDestroy";

describe("checkOnDestroy", () => {
  it.each([
    [undefined],
    [{}],
    [{ reset: true, graceful: false, reboot: true, systemLabelsToWipe: ["STATE", "EPHEMERAL"] }],
    [{ reset: UNKNOWN }],
  ])("accepts %j", (onDestroy) => {
    expect(checkOnDestroy(onDestroy)).toEqual([]);
  });

  it("names every problem, its value and what is allowed", () => {
    const onDestroy = { rest: true, graceful: "yes", systemLabelsToWipe: [] };
    expect(checkOnDestroy(onDestroy)).toEqual([
      {
        property: "onDestroy.rest",
        reason: `there is no such option, did you mean "reset": allowed are leaveEtcd, reset, graceful, reboot, systemLabelsToWipe`,
      },
      { property: "onDestroy.graceful", reason: `"yes" is not valid: give true or false` },
      {
        property: "onDestroy.systemLabelsToWipe",
        reason: `[] is not valid: give a list of labels, for example ["STATE", "EPHEMERAL"]`,
      },
    ]);
    expect(checkOnDestroy("reset")).toEqual([
      {
        property: "onDestroy",
        reason: `"reset" is not valid: give an object, for example { reset: true }`,
      },
    ]);
  });
});

describe("effectiveOnDestroy", () => {
  const recorded = { reset: true, graceful: false };

  it("is the recorded value, unless the environment overrides it", () => {
    expect(effectiveOnDestroy(recorded, undefined)).toBe(recorded);
    expect(effectiveOnDestroy(undefined, "")).toEqual({});
    expect(effectiveOnDestroy(recorded, "none")).toEqual({});
    expect(effectiveOnDestroy(undefined, '{"reset": true}')).toEqual({ reset: true });
  });

  it.each(["reset", "{", '{"reset": "yes"}', "[]", "1"])("rejects %s", (override) => {
    expect(() => effectiveOnDestroy(recorded, override)).toThrow(
      `the environment variable TALOS_AWS_ON_DESTROY must be "none" or JSON such as`,
    );
  });
});
