import * as pulumi from "@pulumi/pulumi";
import { demand, judge, refuse, within } from "../../components/problems";
import { dynamicType } from "../../provider/engine/talosTypes";
import { build, valueOf } from "./mockedGraph";

const longProblem = (text: string) => (text.length > 3 ? `"${text}" is long` : undefined);

describe("refuse", () => {
  it("does nothing without problems", () => {
    expect(() => refuse("x", [])).not.toThrow();
  });

  it("reports all problems with their paths, for people and for programs", () => {
    const problems = within("network", [
      { property: "zones[0]", reason: "one" },
      { property: "cidrBlock", reason: "two" },
    ]);
    try {
      refuse(`the cluster "c"`, problems);
      throw new Error("nothing was refused");
    } catch (error) {
      expect(pulumi.InputPropertiesError.isInstance(error)).toBe(true);
      // Pulumi prints the message of such an error alone.
      expect(pulumi.RunError.isInstance(error)).toBe(true);
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
  it("judges a plain value at once", () => {
    expect(judge("name", "abcd", longProblem).problems).toEqual([
      { property: "name", reason: `"abcd" is long` },
    ]);
    expect(judge("name", "abc", longProblem).problems).toEqual([]);
  });

  const judgedLater = (name: string) =>
    build(() => {
      const resource = new pulumi.ComponentResource("test:index:Machines", "machines");
      return judge("name", pulumi.output(name), longProblem).valueFor(resource);
    });

  it("judges an unknown value later", async () => {
    const { value, graph } = await judgedLater("abc");
    expect(await valueOf(value)).toBe("abc");
    expect(graph.ofType(dynamicType("ImmutableArguments"))).toEqual([]);
  });

  it("has the engine refuse an invalid one, for which others would wait forever", async () => {
    const { graph } = await judgedLater("abcd");
    const refused = graph.ofType(dynamicType("ImmutableArguments"));
    expect(refused.map(({ inputs }) => inputs.refusals)).toEqual([[`name: "abcd" is long`]]);
  });
});

describe("demand", () => {
  it("passes on a valid value and names an invalid argument", () => {
    expect(demand("name", "abc", longProblem)).toBe("abc");
    expect(() => demand("name", "abcd", longProblem)).toThrow(`name: "abcd" is long`);
  });
});
