import { renderMarkdown, renderText, summarize } from "../../preview";
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
    ...{ op: "create", type: rule, name },
    new: { [cidr.includes(":") ? "cidrIpv6" : "cidrIpv4"]: cidr, fromPort: 6443, toPort: 6443 },
  });

  it("is told of all ranges that are as good as the world, whatever order they come in", () => {
    expect(
      risksOf(
        opened("r-10", "::/0"),
        opened("r-9", "128.0.0.0/1"),
        opened("r-8", "10.0.0.0/8"),
        opened("r-1", "0.0.0.0/0"),
      ),
    ).toEqual(["openToTheWorld r-1", "openToTheWorld r-9", "openToTheWorld r-10"]);
  });

  it("is told when another port is opened, and not when only a tag changes", () => {
    const old = { cidrIpv4: "0.0.0.0/0", fromPort: 6443, toPort: 6443 };
    const update = (diffs: string[], change: object): Step => ({
      ...{ op: "update", type: rule, name: "r", old, diffs },
      new: { ...old, ...change },
    });
    expect(risksOf(update(["toPort"], { toPort: 6444 }))).toEqual(["openToTheWorld r"]);
    expect(risksOf(update(["tags"], { tags: {} }))).toEqual([]);
  });
});

describe("the risk of another public address", () => {
  const stopped = (associatePublicIpAddress: boolean): Step => ({
    ...{ op: "update", type: instance, name: "m-1", diffs: ["instanceType"] },
    old: { instanceType: "t3.large", associatePublicIpAddress },
    new: { instanceType: "m6i.large", associatePublicIpAddress },
  });

  it("is told of a public machine that is stopped", () => {
    expect(risksOf(stopped(true))).toEqual(["addressChanges m-1"]);
    expect(risksOf(stopped(false))).toEqual([]);
  });

  const type = "aws:ec2/eipAssociation:EipAssociation";

  it("is told of a machine that runs and gets a fixed address, and of none that is new", () => {
    const fix: Step = { op: "create", type, name: "m-1", new: {} };
    const machine = (op: "same" | "create"): Step => ({
      ...{ op, type: instance, name: "m-1", new: { associatePublicIpAddress: true } },
      ...(op === "same" && { old: { associatePublicIpAddress: true } }),
    });
    expect(risksOf(machine("same"), fix)).toEqual(["addressChanges m-1"]);
    expect(risksOf(machine("create"), fix)).toEqual([]);
  });

  it("isn't there with a fixed address", () => {
    expect(risksOf(stopped(true), { op: "same", type, name: "m-1", old: {}, new: {} })).toEqual([]);
  });
});

describe("another Talos in a machine's installer", () => {
  const [old, now] = ["v1.12.1", "v1.13.0"].map((version) => ({
    ...configured({ install: { image: `installer:${version}` } }),
    talosSystem: { version, schematic: "a".repeat(16) },
  }));
  const step = (before: Record<string, unknown> | undefined = old): Step => ({
    ...{ op: "update", type: apply, name: "m-1", diffs: ["redactedConfiguration"] },
    ...(before && { old: before }),
    ...(now && { new: now }),
  });
  const upgrade = { effect: "upgrade", because: ["Talos v1.12.1 → v1.13.0"] };

  it("is an upgrade, whose restart alone is a risk", () => {
    const { machines, risks } = summaryOf(step());
    expect(machines).toMatchObject([upgrade]);
    expect(risks).toMatchObject([{ code: "quorumLost" }]);
  });

  it("is one too of a machine that an older release recorded", () => {
    const older = configured({ install: { image: "installer:v1.12.1" } });
    expect(summaryOf(step(older)).machines).toMatchObject([upgrade]);
  });

  it("is one of a machine that runs another than was declared, as its record says", () => {
    const outputs = { talosSystem: { version: "v1.12.5" } };
    expect(summaryOf({ ...step(now), outputs }).machines).toMatchObject([
      { effect: "upgrade", because: ["Talos v1.12.5 → v1.13.0"] },
    ]);
  });

  it("names the schematic where that alone is another", () => {
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

describe("the risk of taking another image for an upgrade", () => {
  const update = (name: string, before: object, after: object): Step => ({
    ...{ op: "update", type: apply, name, diffs: ["redactedConfiguration"] },
    old: configured({ install: before }),
    new: configured({ install: after }),
  });
  const [old, now] = [{ image: "installer:v1.12.0" }, { image: "installer:v1.12.1" }];
  const summary = summaryOf(update("m-1", old, now), update("m-2", old, now));

  it("is told of machines that run", () => {
    expect(summary.risks).toMatchObject([
      { code: "notUpgraded", subject: "m-1" },
      { code: "notUpgraded", subject: "m-2" },
    ]);
    expect(risksOf(update("m-1", {}, { image: "installer:v1.12.1" }))).toEqual([]);
  });

  it("is told of kube-proxy, which only a new cluster gets", () => {
    const proxy = (image: string) => ({
      redactedConfiguration: { machine: { type: "controlplane" }, cluster: { proxy: { image } } },
    });
    const step: Step = {
      ...{ op: "update", type: apply, name: "m-1", diffs: ["redactedConfiguration"] },
      ...{ old: proxy("kube-proxy:v1.34.0"), new: proxy("kube-proxy:v1.35.0") },
    };
    expect(risksOf(step)).toEqual(["notUpgraded m-1"]);
    expect(summaryOf(step).machines).toMatchObject([{ effect: "live" }]);
  });

  it("is told of a worker's taints, which it keeps, and of a worker that is made with wrong ones", () => {
    const taints = (key: string) => ({
      type: "worker",
      kubelet: { extraConfig: { registerWithTaints: [{ key, effect: "NoSchedule" }] } },
    });
    const change: Step = {
      ...{ op: "update", type: apply, name: "w-1", diffs: ["redactedConfiguration"] },
      ...{ old: configured(taints("a")), new: configured(taints("b")) },
    };
    expect(risksOf(change)).toEqual(["notTaken w-1"]);
    const made = (machine: Record<string, unknown>): Step => ({
      ...{ op: "create", type: apply, name: "w-1" },
      new: configured(machine),
    });
    expect(risksOf(made(taints("a")))).toEqual([]);
    const wrong = { type: "worker", nodeTaints: { a: "b:NoSchedule" } };
    expect(risksOf(made(wrong))).toEqual(["notTaken w-1"]);
  });

  it("is written once for all of which the same is said", () => {
    expect(renderText(summary).match(/! m-1, m-2: only the installer changes/g)).toHaveLength(1);
    expect(renderMarkdown(summary)).toContain("> ⚠️ **m-1, m-2**: only the installer changes");
  });
});

describe("a certificate that is renewed", () => {
  const type = "pulumi-nodejs:dynamic/talos:ClientConfiguration";
  const outputs = { notAfter: "2026-11-25T00:00:00Z" };

  it("is why its resource changes, where nothing else does", () => {
    const step: Step = { op: "update", type, name: "client", old: {}, new: {}, outputs };
    const reasons = (one: Step) => summaryOf(one).groups[0]?.resources[0]?.because;
    expect(reasons(step)).toEqual(["its certificate is renewed"]);
    expect(reasons({ ...step, diffs: ["nodes", "endpoints"] })).toEqual(["endpoints", "nodes"]);
    expect(summaryOf(step).risks).toEqual([]);
  });
});

describe("Markdown of many alike", () => {
  const tagged = (name: string): Step => ({
    ...{ op: "update", type: rule, name, diffs: ["tags"] },
    ...{ old: { a: 1 }, new: { a: 1, tags: {} } },
  });

  it("has updates for the same reason in one row, and what is made in rows of its own", () => {
    const made = (name: string): Step => ({ op: "create", type: rule, name, new: { a: 1 } });
    const text = renderMarkdown(summaryOf(tagged("a"), made("x"), tagged("b"), made("y")));
    expect(text.split("\n").filter((line) => /^\| (update|create)/.test(line))).toEqual([
      "| update | SecurityGroupIngressRule `a`, `b` | TalosCluster talos | tags |",
      "| create | SecurityGroupIngressRule `x` | TalosCluster talos |  |",
      "| create | SecurityGroupIngressRule `y` | TalosCluster talos |  |",
    ]);
  });
});
