import { UNKNOWN } from "../../../provider/base/unknown";
import { CheckedInputs, URN } from "../../../provider/engine/checkedInputs";

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

  it("gives each of two resources that record the same what it held back itself", () => {
    const checked = new CheckedInputs(["token"]);
    const held = (urn: string, token: string) =>
      checked.hold({ node: "a", token, [URN]: urn }, { node: "a" });
    const [one, other, alike] = [held("urn:1", "t"), held("urn:2", "u"), held("urn:3", "t")];
    expect(one).toEqual({ node: "a" });
    expect(alike).toEqual({ node: "a" });
    expect(checked.all(one)).toMatchObject({ token: "t" });
    expect(checked.all(other)).toMatchObject({ token: "u" });
    expect(checked.urn(other)).toBe("urn:2");
    // A resource that is checked again, for example before its replacement, is itself.
    expect(held("urn:2", "w")).toEqual(other);
    expect(checked.all(other)).toMatchObject({ token: "w" });
    expect(checked.all(held("urn:3", "v"))).toMatchObject({ token: "v" });
    expect(checked.all(one)).toMatchObject({ token: "t" });
  });

  it("keeps inputs apart if two resources record the same", () => {
    const checked = new CheckedInputs([]);
    checked.hold({ node: "a" }, { node: "a" });
    checked.hold({ node: "a" }, {});
    expect(checked.differs({ node: "a" })).toBe(false);
  });
});
