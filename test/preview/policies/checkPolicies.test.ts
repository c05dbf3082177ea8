import type { PolicyPack } from "@pulumi/policy";
import { checkPolicies, crossGuardPolicies, type PlannedResource } from "../../../policies";

const volume: PlannedResource = {
  urn: "urn:pulumi:staging::p::aws:ebs/volume:Volume::data",
  type: "aws:ebs/volume:Volume",
  name: "data",
  operation: "same",
  isProtectedAfter: false,
  newInputs: { encrypted: false },
  oldOutputs: {},
};

it("judges remaining resources, and names the broken rule", () => {
  expect(checkPolicies([volume, { ...volume, operation: "delete" }])).toEqual([
    {
      rule: "encrypted-volumes",
      urn: volume.urn,
      subject: "data",
      reason: expect.stringContaining("the volume is not encrypted") as string,
    },
  ]);
});

it("reports nothing for resources that keep the rules", () => {
  expect(checkPolicies([{ ...volume, newInputs: { encrypted: true } }])).toEqual([]);
});

it("gives policy packs every rule except the one that they can't judge", () => {
  const policies: ConstructorParameters<typeof PolicyPack>[1]["policies"] = crossGuardPolicies();
  expect(policies.map(({ name }) => name)).toEqual([
    "closed-talos-api",
    "encrypted-volumes",
    "metadata-tokens",
    "odd-control-planes",
    "pinned-versions",
    "protected-production",
  ]);
});

it("reports a rule's message to a policy pack", () => {
  const [policy] = crossGuardPolicies().filter(({ name }) => name === "encrypted-volumes");
  const said: string[] = [];
  if (policy !== undefined && "validateResource" in policy) {
    const { urn, type, name } = volume;
    const props = { encrypted: false };
    policy.validateResource({ urn, type, name, props, opts: { protect: false } }, (message) =>
      said.push(message),
    );
  }
  expect(said).toEqual([expect.stringMatching(/^data: the volume is not encrypted/)]);
});
