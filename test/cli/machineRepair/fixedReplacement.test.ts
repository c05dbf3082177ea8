import {
  strangeChanges,
  unfinishedReplacements,
} from "../../../cli/machineRepair/fixedReplacement";

const urn = (type: string, name: string) => `urn:pulumi:s::p::${type}::${name}`;
const INSTANCE = "aws:ec2/instance:Instance";
const APPLY = "talos:ConfigurationApply";

const [first, second] = [urn(INSTANCE, "c-apps-1"), urn(INSTANCE, "c-apps-2")];
const apply = urn(APPLY, "c-apps-1");
const health = urn("talos:ClusterHealth", "c-health");
const resources = [
  { urn: first, type: INSTANCE },
  { urn: second, type: INSTANCE },
  { urn: apply, type: APPLY, dependencies: [first] },
  { urn: health, type: "talos:ClusterHealth", dependencies: [apply] },
  { urn: first, type: INSTANCE, delete: true },
];

describe("an interrupted replacement of a fixed machine", () => {
  it("is known by the machine that is still to be deleted", () => {
    expect(unfinishedReplacements(resources).map((each) => each.urn)).toEqual([first]);
    expect(unfinishedReplacements(resources.slice(0, 4))).toEqual([]);
  });

  it("goes on if nothing but the machine and what depends on it would change", () => {
    expect(strangeChanges(new Set([first, apply, health]), [first], resources)).toEqual([]);
  });

  it("does not go on if something else would change with it", () => {
    const changed = new Set([first, second, urn("aws:ec2/vpc:Vpc", "c")]);
    expect(strangeChanges(changed, [first], resources)).toEqual(["c-apps-2", "c"]);
  });
});
