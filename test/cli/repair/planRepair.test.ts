import type { Deployment } from "@pulumi/pulumi/automation";
import { describeRepair, undecidedProblem } from "../../../cli/repair/describeRepair";
import type { PendingOperation, WrittenResource } from "../../../cli/repair/pendingOperations";
import { planRepair } from "../../../cli/repair/planRepair";
import { repairedState, urnsToRefresh } from "../../../cli/repair/repairedState";
import { expectDocumented } from "../../documented";

const NODE = "urn:pulumi:prod::shop::aws:ec2/instance:Instance::node";
const RULE = "urn:pulumi:prod::shop::aws:vpc/rule:Rule::rule";

describe("the resources that a killed run had begun", () => {
  it("adopts the created resource if the state does not record it", () => {
    expect(planRepair(stack([], [creating(NODE)]), { [NODE]: { ids: ["i-1"] } })).toEqual([
      { kind: "adopt", urn: NODE, id: "i-1" },
    ]);
  });

  it("creates again what was not created, or what may exist twice", () => {
    const recorded = stack([], [creating(NODE), creating(RULE)]);
    const findings = { [NODE]: { ids: [] }, [RULE]: { repeatable: true } } as const;
    expect(planRepair(recorded, findings)).toEqual([
      { kind: "makeAgain", urn: NODE },
      { kind: "makeAgain", urn: RULE },
    ]);
  });

  it("never adopts an id that the state already records", () => {
    const recorded = stack([resource(RULE, "i-1")], [creating(NODE)]);
    expect(planRepair(recorded, { [NODE]: { ids: ["i-1"] } })).toEqual([
      { kind: "makeAgain", urn: NODE },
    ]);
  });

  it("records what only a refresh can find, and lets the next up delete its duplicate", () => {
    const findings = { [NODE]: { assumed: "spread-1a2b3c4" } };
    const steps = planRepair(stack([], [creating(NODE)]), findings);
    expect(steps).toEqual([{ kind: "adopt", urn: NODE, id: "spread-1a2b3c4", isAssumed: true }]);
    expect(urnsToRefresh(steps)).toEqual([NODE]);
    expect(describeRepair(steps)).toContain("removed again if AWS does not have it");
    const later = stack([resource(NODE, "spread-5d6e7f8")], [creating(NODE)]);
    expect(planRepair(later, findings)).toEqual([
      { kind: "remove", urn: NODE, id: "spread-1a2b3c4" },
    ]);
    const known = stack([resource(RULE, "spread-1a2b3c4")], [creating(NODE)]);
    expect(planRepair(known, findings)).toEqual([{ kind: "makeAgain", urn: NODE }]);
  });

  it("deletes the duplicate of a resource that was recorded in the meantime", () => {
    const recorded = stack([resource(NODE, "i-2")], [creating(NODE)]);
    expect(planRepair(recorded, { [NODE]: { ids: ["i-2", "i-1"] } })).toEqual([
      { kind: "remove", urn: NODE, id: "i-1" },
    ]);
  });

  it("adopts one of the two that two killed runs created, and deletes the other", () => {
    const recorded = stack([], [creating(NODE), creating(NODE)]);
    expect(planRepair(recorded, { [NODE]: { ids: ["i-2", "i-1"] } })).toEqual([
      { kind: "adopt", urn: NODE, id: "i-1" },
      { kind: "remove", urn: NODE, id: "i-2" },
    ]);
  });

  it("changes nothing if it finds more than the killed runs can have created", () => {
    const steps = planRepair(stack([], [creating(NODE)]), { [NODE]: { ids: ["i-1", "i-2"] } });
    expect(steps).toMatchObject([{ kind: "undecided", urn: NODE, ids: ["i-1", "i-2"] }]);
    expect(undecidedProblem("prod", steps)).toContain(
      `talos-aws repair prod --adopt '${NODE}=i-1'`,
    );
  });

  it("asks the user about resources that it could not search for, and follows the answer", () => {
    const recorded = stack([], [creating(NODE), creating(RULE)]);
    const findings = { [NODE]: { unsure: "access denied", ids: [] } };
    expect(planRepair(recorded, findings).map(({ kind }) => kind)).toEqual([
      "undecided",
      "undecided",
    ]);
    const decisions = { adopt: { [NODE]: "i-9" }, forget: new Set([RULE]) };
    expect(planRepair(recorded, findings, decisions)).toEqual([
      { kind: "adopt", urn: NODE, id: "i-9" },
      { kind: "makeAgain", urn: RULE },
    ]);
  });

  it("asks AWS about interrupted changes and deletions", () => {
    const recorded = stack([resource(NODE, "i-1")], [{ ...creating(NODE), type: "deleting" }]);
    const steps = planRepair(recorded, {});
    expect(steps).toEqual([{ kind: "refresh", urn: NODE }]);
    expect(urnsToRefresh(steps)).toEqual([NODE]);
  });

  it("names the resource and the action in one line", () => {
    expect(describeRepair([{ kind: "adopt", urn: NODE, id: "i-1" }])).toBe(
      "  Instance node: i-1 was created and not recorded: it is added to the state",
    );
  });

  it("says what docs/repair.md shows", () => {
    const urn = (type: string, name: string) =>
      `urn:pulumi:production::talos-aws::${type}::${name}`;
    const machine = urn("aws:ec2/instance:Instance", "production-apps-1");
    const rule = urn(
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      "production-apps-1-to-api",
    );
    const recorded = stack([], [creating(machine), creating(rule)]);
    const [id, other] = ["i-0123456789abcdef0", "i-0123456789abcdef1"];
    const clear = planRepair(recorded, { [machine]: { ids: [id] }, [rule]: { ids: [] } });
    expectDocumented("repair.md", describeRepair(clear));
    const unclear = planRepair(stack([], [creating(machine)]), { [machine]: { ids: [id, other] } });
    expectDocumented("repair.md", undecidedProblem("production", unclear) ?? "");
  });
});

describe("the state after a repair", () => {
  const exported: Deployment = {
    version: 3,
    deployment: {
      manifest: { version: "v3.230.0" },
      resources: [resource(RULE, "sgr-1")],
      pending_operations: [creating(NODE), creating(NODE)],
    },
  };

  it("has adopted resources with their inputs, duplicates to delete, and no pending operations", () => {
    const repaired = repairedState(exported, [
      { kind: "adopt", urn: NODE, id: "i-1" },
      { kind: "remove", urn: NODE, id: "i-2" },
    ]);
    const outputs = { size: "m7i.large", tags: [{ a: "b" }] };
    expect(repaired.version).toBe(3);
    expect(repaired.deployment).toEqual({
      manifest: { version: "v3.230.0" },
      resources: [
        resource(RULE, "sgr-1"),
        { ...resource(NODE, "i-1"), outputs: { ...outputs, id: "i-1" } },
        { ...resource(NODE, "i-2"), outputs: { ...outputs, id: "i-2" }, delete: true },
      ],
    });
  });

  it("is not written while a decision is open", () => {
    expect(() =>
      repairedState(exported, [{ kind: "undecided", urn: NODE, reason: "two fit", ids: [] }]),
    ).toThrow(RangeError);
  });
});

function stack(resources: readonly WrittenResource[], pending: readonly PendingOperation[]) {
  return { resources, pending };
}

function resource(urn: string, id: string): WrittenResource {
  const tags = [{ a: "b", __defaults: [] }];
  const inputs = { size: "m7i.large", tags, __defaults: ["size"] };
  return { urn, type: urn.split("::")[2] ?? "", id, inputs, custom: true };
}

function creating(urn: string): PendingOperation {
  const { id: _none, ...begun } = resource(urn, "");
  return { type: "creating", resource: begun };
}
