import { renderMarkdown, renderText, summarize } from "../../preview";
import { describeMachines } from "../../preview/describeMachines";
import { UNKNOWN } from "../../provider/base/unknown";
import { apply, configured, event, instance, type Step } from "./steps";

const rule = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";

function summaryOf(...steps: readonly Step[]) {
  return summarize({ stack: "staging", events: steps.map(event) });
}

function risksOf(...steps: readonly Step[]): string[] {
  return summaryOf(...steps).risks.map(({ code, subject }) => `${code} ${subject}`);
}

describe("the risk of a rule that opens to the world", () => {
  const opened = (name: string, cidr: string): Step => ({
    op: "create",
    type: rule,
    name,
    new: { [cidr.includes(":") ? "cidrIpv6" : "cidrIpv4"]: cidr, fromPort: 6443, toPort: 6443 },
  });

  it("is reported for all ranges that are almost the world, in any order", () => {
    expect(
      risksOf(
        opened("r-10", "::/0"),
        opened("r-9", "128.0.0.0/1"),
        opened("r-8", "10.0.0.0/8"),
        opened("r-1", "0.0.0.0/0"),
      ),
    ).toEqual(["openToTheWorld r-1", "openToTheWorld r-9", "openToTheWorld r-10"]);
  });

  it("is reported if another port is opened, not if only a tag changes", () => {
    const old = { cidrIpv4: "0.0.0.0/0", fromPort: 6443, toPort: 6443 };
    const update = (diffs: string[], change: object): Step => ({
      op: "update",
      type: rule,
      name: "r",
      old,
      diffs,
      new: { ...old, ...change },
    });
    expect(risksOf(update(["toPort"], { toPort: 6444 }))).toEqual(["openToTheWorld r"]);
    expect(risksOf(update(["tags"], { tags: {} }))).toEqual([]);
  });
});

describe("the risk of a changed public address", () => {
  const stopped = (associatePublicIpAddress: boolean): Step => ({
    op: "update",
    type: instance,
    name: "m-1",
    diffs: ["instanceType"],
    old: { instanceType: "t3.large", associatePublicIpAddress },
    new: { instanceType: "m6i.large", associatePublicIpAddress },
  });

  it("is reported for a public machine that is stopped", () => {
    expect(risksOf(stopped(true))).toEqual(["addressChanges m-1"]);
    expect(risksOf(stopped(false))).toEqual([]);
  });

  const type = "aws:ec2/eipAssociation:EipAssociation";

  it("is reported for a running machine that gets a fixed address, not for a new one", () => {
    const fix: Step = { op: "create", type, name: "m-1", new: {} };
    const machine = (op: "same" | "create"): Step => ({
      op,
      type: instance,
      name: "m-1",
      new: { associatePublicIpAddress: true },
      ...(op === "same" && { old: { associatePublicIpAddress: true } }),
    });
    expect(risksOf(machine("same"), fix)).toEqual(["addressChanges m-1"]);
    expect(risksOf(machine("create"), fix)).toEqual([]);
  });

  it("does not exist with a fixed address", () => {
    expect(risksOf(stopped(true), { op: "same", type, name: "m-1", old: {}, new: {} })).toEqual([]);
  });
});

describe("another Talos in a machine's installer", () => {
  const [old, now] = ["v1.12.1", "v1.13.0"].map((version) => ({
    ...configured({ install: { image: `installer:${version}` } }),
    talosSystem: { version, schematic: "a".repeat(16) },
  }));
  const step = (before: Record<string, unknown> | undefined = old): Step => ({
    op: "update",
    type: apply,
    name: "m-1",
    diffs: ["redactedConfiguration"],
    ...(before && { old: before }),
    ...(now && { new: now }),
  });
  const upgrade = { effect: "upgrade", because: ["Talos v1.12.1 → v1.13.0"] };

  it("is an upgrade, with only the restart as a risk", () => {
    const { machines, risks } = summaryOf(step());
    expect(machines).toMatchObject([upgrade]);
    expect(risks).toMatchObject([{ code: "quorumLost" }]);
  });

  it("is an upgrade also for a machine that an older release recorded", () => {
    const older = configured({ install: { image: "installer:v1.12.1" } });
    expect(summaryOf(step(older)).machines).toMatchObject([upgrade]);
  });

  it("is an upgrade for a machine that runs another release than declared", () => {
    const outputs = { talosSystem: { version: "v1.12.5" } };
    expect(summaryOf({ ...step(now), outputs }).machines).toMatchObject([
      { effect: "upgrade", because: ["Talos v1.12.5 → v1.13.0"] },
    ]);
  });

  it("names the schematic if only that changes", () => {
    const before = { ...now, talosSystem: { version: "v1.13.0", schematic: "b".repeat(16) } };
    expect(summaryOf(step(before)).machines).toMatchObject([
      {
        effect: "upgrade",
        because: [
          "Talos v1.13.0 of schematic bbbbbbbbbbbbbbbb → v1.13.0 of schematic aaaaaaaaaaaaaaaa",
        ],
      },
    ]);
  });
});

describe("the risk of mistaking another image for an upgrade", () => {
  const update = (name: string, before: object, after: object): Step => ({
    op: "update",
    type: apply,
    name,
    diffs: ["redactedConfiguration"],
    old: configured({ install: before }),
    new: configured({ install: after }),
  });
  const [old, now] = [{ image: "installer:v1.12.0" }, { image: "installer:v1.12.1" }];
  const summary = summaryOf(update("m-1", old, now), update("m-2", old, now));

  it("is reported for running machines", () => {
    expect(summary.risks).toMatchObject([
      { code: "notUpgraded", subject: "m-1" },
      { code: "notUpgraded", subject: "m-2" },
    ]);
    expect(risksOf(update("m-1", {}, { image: "installer:v1.12.1" }))).toEqual([]);
  });

  it("is reported for kube-proxy, which only a new cluster gets", () => {
    const proxy = (image: string) => ({
      redactedConfiguration: { machine: { type: "controlplane" }, cluster: { proxy: { image } } },
    });
    const step: Step = {
      op: "update",
      type: apply,
      name: "m-1",
      diffs: ["redactedConfiguration"],
      old: proxy("kube-proxy:v1.34.0"),
      new: proxy("kube-proxy:v1.35.0"),
    };
    expect(risksOf(step)).toEqual(["notUpgraded m-1"]);
    expect(summaryOf(step).machines).toMatchObject([{ effect: "live" }]);
  });

  it("isn't guessed from a configuration that only the run makes", () => {
    const before = { redactedConfiguration: { machine: { type: "worker", files: [{}] } } };
    const step: Step = {
      op: "update",
      type: apply,
      name: "m-1",
      diffs: ["redactedConfiguration"],
      old: before,
      new: { redactedConfiguration: UNKNOWN },
    };
    expect(risksOf(step)).toEqual([]);
    const { machines } = summaryOf(step);
    expect(machines).toMatchObject([{ effect: "open", because: [], lines: [] }]);
    expect(describeMachines(machines)).toMatchObject([
      {
        what: "gets a configuration that is known once other resources are made, and may reboot",
      },
    ]);
  });

  it("is reported for a worker's taints, which it keeps, and for a new worker with wrong ones", () => {
    const taints = (key: string) => ({
      type: "worker",
      kubelet: { extraConfig: { registerWithTaints: [{ key, effect: "NoSchedule" }] } },
    });
    const change: Step = {
      op: "update",
      type: apply,
      name: "w-1",
      diffs: ["redactedConfiguration"],
      old: configured(taints("a")),
      new: configured(taints("b")),
    };
    expect(risksOf(change)).toEqual(["notTaken w-1"]);
    const made = (machine: Record<string, unknown>): Step => ({
      op: "create",
      type: apply,
      name: "w-1",
      new: configured(machine),
    });
    expect(risksOf(made(taints("a")))).toEqual([]);
    const wrong = { type: "worker", nodeTaints: { a: "b:NoSchedule" } };
    expect(risksOf(made(wrong))).toEqual(["notTaken w-1"]);
  });

  it("names what the machine keeps from its birth, except on the way back", () => {
    const ranged = (range: string, more: Record<string, unknown> = {}) => ({
      redactedConfiguration: {
        machine: { type: "controlplane" },
        cluster: { network: { podSubnets: [range] } },
      },
      ...more,
    });
    const change = (old: object, next: object): Step => ({
      op: "update",
      type: apply,
      name: "m-1",
      diffs: ["redactedConfiguration"],
      old: old as never,
      new: next as never,
    });
    const other = ranged("10.2.0.0/16", {
      bornOtherwise: { "cluster.network.podSubnets": "10.1.0.0/16" },
    });
    expect(risksOf(change(ranged("10.1.0.0/16"), other))).toEqual(["birthChanged m-1"]);
    expect(risksOf(change(other, ranged("10.1.0.0/16")))).toEqual([]);
  });

  it("names what a cluster loses with an add-on that is left out, but not in a destroy", () => {
    const type = "pulumi-nodejs:dynamic/talos:ImmutableArguments";
    const old = {
      values: {},
      removals: { "addOns.flux": "its content stays", irsa: "tokens end" },
    };
    const next = { values: {}, removals: { irsa: "tokens end" } };
    const step: Step = { op: "same", type, name: "c-immutable", old, new: next };
    expect(risksOf(step)).toEqual(["addOnRemoved addOns.flux"]);
    expect(risksOf({ ...step, new: old })).toEqual([]);
    expect(risksOf({ op: "delete", type, name: "c-immutable", old })).toEqual([]);
  });

  it("is written once for all machines with the same text", () => {
    expect(renderText(summary).match(/! m-1, m-2: only the installer changes/g)).toHaveLength(1);
    expect(renderMarkdown(summary)).toContain("> ⚠️ **m-1, m-2**: only the installer changes");
  });
});

describe("a renewed certificate", () => {
  const type = "pulumi-nodejs:dynamic/talos:ClientConfiguration";
  const outputs = { notAfter: "2026-11-25T00:00:00Z" };

  it("is the reason of its resource's change, if nothing else changes", () => {
    const step: Step = { op: "update", type, name: "client", old: {}, new: {}, outputs };
    const reasons = (one: Step) => summaryOf(one).groups[0]?.resources[0]?.because;
    expect(reasons(step)).toEqual(["its certificate is renewed"]);
    expect(reasons({ ...step, diffs: ["nodes", "endpoints"] })).toEqual(["endpoints", "nodes"]);
    expect(summaryOf(step).risks).toEqual([]);
  });
});

describe("Markdown of many similar changes", () => {
  const tagged = (name: string): Step => ({
    op: "update",
    type: rule,
    name,
    diffs: ["tags"],
    old: { a: 1 },
    new: { a: 1, tags: {} },
  });

  it("has updates with the same reason in one row, and created resources in their own rows", () => {
    const made = (name: string): Step => ({ op: "create", type: rule, name, new: { a: 1 } });
    const text = renderMarkdown(summaryOf(tagged("a"), made("x"), tagged("b"), made("y")));
    expect(text.split("\n").filter((line) => /^\| (update|create)/.test(line))).toEqual([
      "| update | SecurityGroupIngressRule `a`, `b` | TalosCluster talos | tags |",
      "| create | SecurityGroupIngressRule `x` | TalosCluster talos |  |",
      "| create | SecurityGroupIngressRule `y` | TalosCluster talos |  |",
    ]);
  });
});
