import { kindOf } from "../../plugin/kinds";

it("has each resource by its type", () => {
  expect(kindOf("talos-aws:index:MachineSecrets").name).toBe("MachineSecrets");
});

it.each([
  ["talos-aws:index:TalosCluster", /"talos-aws:index:TalosCluster" is a component/],
  ["talos-aws:index:MachineSecret", /has no resource type "talos-aws:index:MachineSecret", only /],
])("says what %s is", (type, message) => {
  expect(() => kindOf(type)).toThrow(message);
});
