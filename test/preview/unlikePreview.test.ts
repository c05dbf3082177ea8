import type { EngineEvent } from "@pulumi/pulumi/automation";
import { type PreviewSummary, summarize } from "../../preview";
import type { SeenMachine, SeenRun } from "./seenRun";
import { apply, configured, event, instance, type Step } from "./steps";
import { unlikePreview } from "./unlikePreview";

const old = configured({});
const now = configured({ env: { A: "b" } });
const reboot = (index: number): Step => ({
  op: "update",
  type: apply,
  name: `m-${index}`,
  old,
  new: now,
  diffs: ["redactedConfiguration"],
});
const staying = (index: number): Step => ({
  op: "same",
  type: instance,
  name: `m-${index}`,
  old: { instanceType: "t3.large" },
  new: { instanceType: "t3.large" },
});
const rule: Step = {
  op: "create",
  type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
  name: "rule",
  new: { cidrIpv4: "10.9.0.0/16" },
};
const steps = [reboot(1), reboot(2), reboot(3), staying(1), staying(2), staying(3), rule];

/** The events of steps that are done one after another. */
function done(all: readonly Step[]): EngineEvent[] {
  return all.flatMap((step): EngineEvent[] => {
    const begun = event(step);
    const { metadata } = begun.resourcePreEvent ?? {};
    return metadata === undefined
      ? []
      : [begun, { sequence: 0, timestamp: 0, resOutputsEvent: { metadata } }];
  });
}

function fail(): never {
  throw new Error("a step has no event");
}

function rebooted(index: number): SeenMachine {
  const lines = ['machine.env.A: undefined → "b"'];
  return { name: `m-${index}`, role: "controlplane", effect: "reboot", lines };
}

const summary = summarize({ stack: "s", events: steps.map(event) });
const run: SeenRun = {
  events: done(steps),
  machines: [rebooted(1), rebooted(2), rebooted(3)],
  controlPlanesBefore: 3,
  fewestControlPlanes: 2,
};
const after = (change: Partial<SeenRun>) => unlikePreview(summary, { ...run, ...change });
const before = (change: Partial<PreviewSummary>) => unlikePreview({ ...summary, ...change }, run);
const without = (name: string) => steps.filter((step) => step.name !== name);

describe("the differences between a run and its preview", () => {
  it("are none if the run did what the preview said", () => {
    expect(after({})).toEqual([]);
  });

  it("include a surplus and a missing step", () => {
    expect(after({ events: done([...steps, { ...rule, name: "other" }]) })).toEqual([
      "done, and not said: create SecurityGroupIngressRule other of TalosCluster talos ()",
      "said, and not done: 1 × create",
      "done, and not said: 2 × create",
    ]);
    expect(after({ events: done(without("rule")) })).toEqual([
      "said, and not done: create SecurityGroupIngressRule rule of TalosCluster talos ()",
      "said, and not done: 1 × create",
      "done, and not said: 0 × create",
    ]);
  });

  it("include a step that the preview lacks, and one that it invents", () => {
    const [group] = summary.groups;
    const resources = group?.resources ?? [];
    const said = (changed: typeof resources) =>
      before({ groups: [{ component: group?.component ?? "", resources: changed }] });
    expect(said(resources)).toEqual([]);
    expect(said(resources.slice(1))).toHaveLength(1);
    expect(said([...resources, ...resources.slice(0, 1)])).toHaveLength(1);
  });

  it("include another operation, and another reason", () => {
    const updated: Step = { ...rule, op: "update", old: { a: 1 }, diffs: ["tags"] };
    expect(after({ events: done([...without("rule"), updated]) })).toContain(
      "done, and not said: update SecurityGroupIngressRule rule of TalosCluster talos (tags)",
    );
    const patched: Step = { ...reboot(3), diffs: ["patches"] };
    const others = steps.filter((step) => step.type !== apply || step.name !== "m-3");
    expect(after({ events: done([...others, patched]) })).toEqual([
      "said, and not done: update ConfigurationApply m-3 of TalosCluster talos (redactedConfiguration)",
      "done, and not said: update ConfigurationApply m-3 of TalosCluster talos (patches)",
    ]);
  });

  it("include an incomplete replacement", () => {
    const replaced = (op: Step["op"]): Step => ({
      op,
      type: instance,
      name: "m-4",
      keys: ["subnetId"],
      old: { a: 1 },
      ...(op !== "delete-replaced" && { new: { a: 2 } }),
    });
    const whole = [
      replaced("create-replacement"),
      replaced("replace"),
      replaced("delete-replaced"),
    ];
    const said = summarize({ stack: "s", events: [...steps, ...whole].map(event) });
    const did = (parts: readonly Step[]) =>
      unlikePreview(said, { ...run, events: done([...steps, ...parts]) });
    expect(did(whole)).toEqual([]);
    expect(did(whole.slice(0, 2))).toContain(
      "said, and not done: replace Instance m-4 of TalosCluster talos (subnetId)",
    );
  });

  it("include a step that failed or never ended", () => {
    const begun = event(rule);
    const metadata = begun.resourcePreEvent?.metadata ?? fail();
    const resOpFailedEvent = { metadata, status: 0, steps: 0 };
    const others = done(without("rule"));
    expect(after({ events: [...others, begun] })).toContain(`create of ${metadata.urn} has no end`);
    expect(
      after({ events: [...run.events, { sequence: 0, timestamp: 0, resOpFailedEvent }] }),
    ).toEqual([`create of ${metadata.urn} failed`]);
  });

  it("include another effect on a machine, and another line of its configuration", () => {
    const [one, two] = [rebooted(1), rebooted(2)];
    const live: SeenMachine = { ...rebooted(3), effect: "live" };
    expect(after({ machines: [one, two, live] })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^said, and not done: controlplane m-3 reboot /),
        expect.stringMatching(/^done, and not said: controlplane m-3 live /),
      ]),
    );
    expect(after({ machines: [one, two, { ...rebooted(3), lines: [] }] })).toHaveLength(2);
    const worker: SeenMachine = { ...one, name: "w-1", role: "worker", effect: "live" };
    expect(after({ machines: [...run.machines, worker] })).toHaveLength(1);
    expect(before({ machines: summary.machines.slice(1) })).toHaveLength(1);
  });

  it("include another order of machines, and machines at the same time", () => {
    const [first, second, ...rest] = steps;
    const swapped = [second, first, ...rest].filter((step) => step !== undefined);
    expect(after({ events: done(swapped) })).toHaveLength(4);
    const [begun, ended, nextBegun, nextEnded, ...others] = run.events;
    const together = [begun, nextBegun, ended, nextEnded, ...others].filter(
      (one) => one !== undefined,
    );
    expect(after({ events: together })).toEqual(["m-2 away while m-1 away"]);
    expect(before({ quorum: summary.quorum.slice(0, 2) })).toEqual([
      "done, and not said: turn 3: m-3 away: 2 of 3, 2 needed, holds",
    ]);
  });

  it("include fewer running control plane machines than predicted", () => {
    expect(after({ fewestControlPlanes: 1 })).toEqual([
      "said, and not done: 2 ran when fewest did",
      "done, and not said: 1 ran when fewest did",
    ]);
  });
});
