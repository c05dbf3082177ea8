import { destroyPlan } from "../../cli/destroyPlan";
import { dynamicType, pluginType } from "../../provider/talosTypes";

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
