import * as pulumi from "@pulumi/pulumi";
import { isUnknown, UNKNOWN } from "../../../provider/base/unknown";

describe("isUnknown", () => {
  it("recognises Pulumi's placeholder for unknown values", () => {
    expect(UNKNOWN).toBe(pulumi.runtime.unknownValue);
    expect(isUnknown(pulumi.runtime.unknownValue)).toBe(true);
  });

  it("finds it at any depth", () => {
    expect(isUnknown({ a: [{ b: UNKNOWN }] })).toBe(true);
    expect(isUnknown([["x"], UNKNOWN])).toBe(true);
  });

  it("treats everything else as known", () => {
    expect(isUnknown(undefined)).toBe(false);
    expect(isUnknown(null)).toBe(false);
    expect(isUnknown("")).toBe(false);
    expect(isUnknown({ a: [0, false, null] })).toBe(false);
  });
});
