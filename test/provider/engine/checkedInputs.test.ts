import { UNKNOWN } from "../../../provider/base/unknown";
import { CheckedInputs } from "../../../provider/engine/checkedInputs";

const given = { node: "a", token: "t", empty: null };

describe("CheckedInputs", () => {
  it("keeps transient inputs and returns them for the same inputs, in any order", () => {
    const checked = new CheckedInputs(["token"]);
    const kept = checked.hold(given, {});
    expect(kept).toEqual({ node: "a", empty: null });
    expect(checked.all({ __provider: "the stub", node: "a" })).toMatchObject({ token: "t" });
    expect(checked.known({ empty: null, node: "a" })).toEqual(given);
  });

  it("throws for unknown inputs", () => {
    const checked = new CheckedInputs(["token"]);
    checked.hold(given, {});
    expect(checked.known({ node: "b" })).toEqual({ node: "b" });
    expect(checked.known({ node: UNKNOWN })).toEqual({ node: UNKNOWN, token: UNKNOWN });
    expect(() => checked.all({ node: "b" })).toThrow("token were not checked");
    expect(checked.differs({ node: "b" })).toBe(false);
  });

  it("reports whether recorded inputs differ from before, ignoring the stub and missing values", () => {
    const checked = new CheckedInputs(["token"]);
    checked.hold(given, { node: "a", __provider: "the stub" });
    expect(checked.differs(given)).toBe(false);
    checked.hold({ node: "b", token: "t" }, { node: "a" });
    expect(checked.differs({ node: "b" })).toBe(true);
  });

  it("keeps inputs apart if two resources record the same", () => {
    const checked = new CheckedInputs([]);
    checked.hold({ node: "a" }, { node: "a" });
    checked.hold({ node: "a" }, {});
    expect(checked.differs({ node: "a" })).toBe(false);
  });
});
