import { CheckedInputs } from "../../provider/checkedInputs";
import { UNKNOWN } from "../../provider/unknown";

const given = { node: "a", token: "t", empty: null };

describe("CheckedInputs", () => {
  it("holds back what is transient and gives it back for the same inputs, in any order", () => {
    const checked = new CheckedInputs(["token"]);
    const kept = checked.hold(given, {});
    expect(kept).toEqual({ node: "a", empty: null });
    expect(checked.all({ __provider: "the stub", node: "a" })).toMatchObject({ token: "t" });
    expect(checked.known({ empty: null, node: "a" })).toEqual(given);
  });

  it("knows nothing of other inputs, and refuses to act on them", () => {
    const checked = new CheckedInputs(["token"]);
    checked.hold(given, {});
    expect(checked.known({ node: "b" })).toEqual({ node: "b" });
    expect(checked.known({ node: UNKNOWN })).toEqual({ node: UNKNOWN, token: UNKNOWN });
    expect(() => checked.all({ node: "b" })).toThrow("token were not checked");
    expect(checked.differs({ node: "b" })).toBe(false);
  });

  it("knows whether what is kept differs from before; the stub and nothing don't count", () => {
    const checked = new CheckedInputs(["token"]);
    checked.hold(given, { node: "a", __provider: "the stub" });
    expect(checked.differs(given)).toBe(false);
    checked.hold({ node: "b", token: "t" }, { node: "a" });
    expect(checked.differs({ node: "b" })).toBe(true);
  });

  it("is careful where two resources keep the same", () => {
    const checked = new CheckedInputs([]);
    checked.hold({ node: "a" }, { node: "a" });
    checked.hold({ node: "a" }, {});
    expect(checked.differs({ node: "a" })).toBe(false);
  });
});
