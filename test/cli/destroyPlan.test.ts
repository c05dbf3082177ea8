import { destroyPlan } from "../../cli/destroyPlan";
import { dynamicType, pluginType } from "../../provider/engine/talosTypes";

it.each([dynamicType("MachineSecrets"), pluginType("MachineSecrets")])(
  "the plan of a destroy names the authorities that it deletes, of type %s",
  (type) => {
    const urn = `urn:pulumi:prod::shop::${type}::prod-secrets`;
    const secrets = { urn, type, id: "prod", custom: true, protect: true };
    expect(destroyPlan({ version: 3, deployment: { resources: [secrets] } })).toEqual({
      resources: 1,
      losses: [{ what: "the cluster's certificate authorities", names: ["prod-secrets"] }],
      protectedNames: ["prod-secrets"],
    });
  },
);

it("the plan of a destroy names machines that EC2 alone protects", () => {
  const machine = (name: string, disableApiTermination: boolean) => ({
    urn: `urn:pulumi:prod::shop::aws:ec2/instance:Instance::${name}`,
    type: "aws:ec2/instance:Instance",
    id: `i-${name}`,
    custom: true,
    inputs: { disableApiTermination },
  });
  const resources = [machine("guarded", true), machine("open", false)];
  expect(destroyPlan({ version: 3, deployment: { resources } }).protectedNames).toEqual([
    "guarded",
  ]);
});
