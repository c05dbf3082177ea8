import { isRefusedInPreview, neededMachines } from "../../../components/machines/neededMachines";
import { HANDLER_NAMES } from "../../../provider/engine/dynamicStub";
import { dynamicType, pluginType } from "../../../provider/engine/talosTypes";

const apply = { machineId: "i-1", node: "1.1.1.1", endpoint: "1.1.1.1", redactedConfiguration: {} };

describe("the machines that a step needs", () => {
  it.each([
    ["none, for its way and its end", { endpoint: "2.2.2.2", privateAddress: "10.0.0.2" }, "none"],
    ["its own, for its address", { node: "2.2.2.2", endpoint: "2.2.2.2" }, "own"],
    ["all, for its configuration", { redactedConfiguration: { a: 1 } }, "all"],
    ["all, for both", { node: "2.2.2.2", redactedConfiguration: { a: 1 } }, "all"],
    // A secret has changed, or it has to become healthy.
    ["all, for what isn't shown", {}, "all"],
  ])("are, to configure a machine, %s", (_, change, needed) => {
    const step = { oldInputs: apply, newInputs: { ...apply, ...change } };
    for (const typeOf of [dynamicType, pluginType]) {
      expect(neededMachines({ type: typeOf("ConfigurationApply"), ...step })).toBe(needed);
    }
  });

  it.each(["FirstContact", "ConfigurationApply"] as const)("is its own, to create a %s", (kind) => {
    expect(neededMachines({ type: dynamicType(kind), newInputs: apply })).toBe("own");
  });

  it.each([
    ["KubernetesUpgrade", "images"],
    ["RotationGate", "rotation"],
    ["MachineTurn", "triggers"],
    ["EtcdMember", "machineId"],
  ] as const)("are all for %s, when %s changes", (kind, name) => {
    const type = dynamicType(kind);
    const oldInputs = { [name]: "a", other: "a" };
    const newInputs = { [name]: "b", other: "a" };
    expect(neededMachines({ type, oldInputs, newInputs })).toBe("all");
    expect(neededMachines({ type, oldInputs, newInputs: { ...oldInputs, other: "b" } })).toBe(
      "none",
    );
    expect(neededMachines({ type, newInputs })).toBe("none");
  });

  it("are decided for each kind", () => {
    const decided = HANDLER_NAMES.map((kind) => {
      const step = { type: dynamicType(kind), oldInputs: { a: 1 }, newInputs: { a: 1 } };
      return [kind, neededMachines(step), isRefusedInPreview(step)] as const;
    });
    expect(decided.filter(([, needed]) => needed === "all").map(([kind]) => kind)).toEqual([
      "ConfigurationApply",
      "ClusterHealth",
    ]);
    expect(
      decided
        .filter(([, , isRefused]) => !isRefused)
        .map(([kind]) => kind)
        .sort(),
    ).toEqual(["ClusterHealth", "EtcdMember", "MachineTurn"]);
    expect(neededMachines({ type: "aws:ec2/instance:Instance" })).toBe("none");
  });
});
