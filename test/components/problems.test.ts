import * as pulumi from "@pulumi/pulumi";
import { demand, judge, refuse, within } from "../../components/problems";
import { valueOf } from "./mockedGraph";

const longProblem = (text: string) => (text.length > 3 ? `"${text}" is long` : undefined);

describe("refuse", () => {
  it("does nothing when nothing is wrong", () => {
    expect(() => refuse("x", [])).not.toThrow();
  });

  it("tells all problems with their paths, for people and for programs", () => {
    const problems = within("network", [
      { property: "zones[0]", reason: "one" },
      { property: "cidrBlock", reason: "two" },
    ]);
    try {
      refuse(`the cluster "c"`, problems);
      throw new Error("nothing was refused");
    } catch (error) {
      expect(pulumi.InputPropertiesError.isInstance(error)).toBe(true);
      const { message, errors } = error as pulumi.InputPropertiesError;
      expect(message).toBe(
        `the cluster "c" can't be made of these arguments:\n  - network.zones[0]: one\n  - network.cidrBlock: two`,
      );
      expect(errors).toEqual([
        { propertyPath: "network.zones[0]", reason: "one" },
        { propertyPath: "network.cidrBlock", reason: "two" },
      ]);
    }
  });
});

describe("judge", () => {
  it("tells at once what is wrong with a plain value", () => {
    expect(judge("name", "abcd", longProblem).problems).toEqual([
      { property: "name", reason: `"abcd" is long` },
    ]);
    expect(judge("name", "abc", longProblem).problems).toEqual([]);
  });

  it("waits for a value that is known later", async () => {
    const { value } = judge("name", pulumi.output("abc"), longProblem);
    expect(await valueOf(value)).toBe("abc");
  });
});

describe("demand", () => {
  it("passes on what is fine and names the argument that isn't", () => {
    expect(demand("name", "abc", longProblem)).toBe("abc");
    expect(() => demand("name", "abcd", longProblem)).toThrow(`name: "abcd" is long`);
  });
});
