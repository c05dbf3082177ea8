import { renderMarkdown, renderText } from "../../preview";
import { describeScalingGroups } from "../../preview/describeScalingGroups";
import { dynamicType } from "../../provider/engine/talosTypes";
import { expectDocumented } from "../documented";
import { type Step, summaryOf } from "./steps";

const parent =
  "urn:pulumi:s::p::talos-aws:index:TalosCluster$talos-aws:index:AutoScalingWorkerPool::c-batch";
const type = "aws:autoscaling/group:Group";
const sized = (minSize: number, maxSize: number, desiredCapacity = minSize) => ({
  minSize,
  maxSize,
  desiredCapacity,
  launchTemplate: { version: "1" },
});
const rolling = { ...sized(1, 2), instanceRefresh: { strategy: "Rolling" } };

const group = (name: string, step: Omit<Step, "type" | "name">): Step => ({
  type,
  name,
  parent,
  id: `${name}-id`,
  ...step,
});
const updated = (name: string, old: object, now: object, diffs: string[]): Step =>
  group(name, { op: "update", old: { ...old }, new: { ...now }, diffs });
const template = (change: Partial<Step>): Step => ({
  op: "update",
  type: "aws:ec2/launchTemplate:LaunchTemplate",
  name: "c-batch",
  parent,
  old: { imageId: "ami-1" },
  new: { imageId: "ami-2" },
  ...change,
});
const hook = (of: string): Step => ({
  op: "delete",
  type: "aws:autoscaling/lifecycleHook:LifecycleHook",
  name: `${of}-drain`,
  old: { autoscalingGroupName: `${of}-id`, heartbeatTimeout: 180 },
});

/** What a preview with these steps says of groups, in one line each. */
const said = (...steps: Step[]) =>
  describeScalingGroups(summaryOf(...steps).scalingGroups).map(
    ({ names, what }) => `${names.join(", ")} ${what}`,
  );
const risks = (...steps: Step[]) =>
  summaryOf(...steps)
    .risks.filter(({ code }) => code === "podsEnd")
    .map(({ subject }) => subject);

describe("auto scaling groups in a preview", () => {
  it("launch machines when they are new", () => {
    const made = (name: string): Step => group(name, { op: "create", new: sized(0, 2, 1) });
    expect(said(made("b"), made("a"))).toEqual(["a, b launch 1 machine each, 2 at most"]);
    expect(said(made("a"))).toEqual(["a launches 1 machine, 2 at most"]);
  });

  it("replace their machines for another image, or for what changes in their configuration", () => {
    const launched = ["launchTemplate"];
    const change = updated("a", rolling, rolling, launched);
    expect(said(template({ diffs: ["imageId", "latestVersion"] }), change)).toEqual([
      "a replaces its machines a few at a time, for imageId ami-1 → ami-2",
    ]);
    const configuration = (tier: string) => ({
      redactedConfiguration: { machine: { nodeLabels: { tier } } },
    });
    const summary = summaryOf(
      template({ diffs: ["userData"] }),
      {
        op: "update",
        type: dynamicType("MachineConfiguration"),
        name: "c-batch",
        old: configuration("batch"),
        new: configuration("other"),
      },
      updated("sandbox-batch-eu-central-1a", rolling, rolling, launched),
      updated("sandbox-batch-eu-central-1b", rolling, rolling, launched),
    );
    const [section = ""] = /^Auto scaling groups$[^]*?(?=^$)/m.exec(renderText(summary)) ?? [];
    expect(section).not.toBe("");
    expectDocumented("guides/workers.md", section);
    expect(renderMarkdown(summary)).toContain(
      [
        "- **sandbox-batch-eu-central-1a, sandbox-batch-eu-central-1b** replace their machines a few at a time, for machine.nodeLabels",
        "",
        "  ```diff",
        '  - machine.nodeLabels.tier: "batch"',
      ].join("\n"),
    );
  });

  it("keep their machines without a refresh, and say what they launch for if no template changes", () => {
    const change = updated("a", sized(1, 2), sized(1, 2), ["mixedInstancesPolicy"]);
    expect(said(change)).toEqual([
      "a keeps its machines, and launches other ones from now on, for mixedInstancesPolicy",
    ]);
  });

  it("keep their machines when they name the type of their template themselves", () => {
    const launch = { launchTemplate: { id: "lt-1", version: "7" } };
    const mix = (instanceType: string, version = "7", spot = 0) => ({
      mixedInstancesPolicy: {
        instancesDistribution: { onDemandPercentageAboveBaseCapacity: 100 - spot },
        launchTemplate: {
          launchTemplateSpecification: { launchTemplateId: "lt-1", version },
          overrides: [{ instanceType }],
        },
      },
    });
    const { launchTemplate: _former, ...others } = rolling;
    const inputs = { imageId: "ami-1", instanceType: "m6i.large" };
    const same = template({ op: "same", old: inputs, new: inputs });
    const to = (now: object, from: object = launch) =>
      said(same, updated("a", { ...others, ...from }, { ...others, ...now }, Object.keys(now)));
    expect(to(mix("m6i.large"))).toEqual([]);
    expect(to(launch, mix("m6i.large"))).toEqual([]);
    const replaces = ["a replaces its machines a few at a time, for mixedInstancesPolicy"];
    expect(to(mix("m5.large"))).toEqual(replaces);
    expect(to(mix("m6i.large", "8"))).toEqual(replaces);
    expect(to(mix("m6i.large", "7", 50))).toEqual(replaces);
  });

  it("get other sizes, also together with other machines", () => {
    const sizes = ["minSize", "maxSize", "desiredCapacity"];
    expect(said(updated("a", sized(1, 2), sized(2, 6), sizes))).toEqual([
      "a has 2 to 6 machines instead of 1 to 2, and goes from 1 to 2 machines",
    ]);
    expect(
      said(
        updated("a", sized(1, 2), sized(1, 3), sizes),
        updated("b", sized(1, 2), sized(1, 3), sizes),
      ),
    ).toEqual(["a, b have 1 to 3 machines instead of 1 to 2 each"]);
    const both = updated("a", rolling, { ...rolling, maxSize: 1 }, ["launchTemplate", "maxSize"]);
    expect(said(both)).toEqual([
      "a replaces its machines a few at a time, for launchTemplate; has 1 machine instead of 1 to 2",
    ]);
  });

  it("end their machines at once, which is a risk, unless a hook keeps these for a drain", () => {
    const gone = (name: string): Step => group(name, { op: "delete", old: sized(1, 2) });
    expect(said(gone("a"), gone("b"), hook("b"))).toEqual([
      "a ends its machines at once, with their pods",
      "b keeps its machines for 180 s to be drained, then ends them",
    ]);
    expect(risks(gone("a"), gone("b"), hook("b"))).toEqual(["a"]);
    const secrets: Step = { op: "delete", type: dynamicType("MachineSecrets"), name: "c", old: {} };
    expect(risks(gone("a"), secrets)).toEqual([]);
    const replaced = group("a", {
      op: "replace",
      old: sized(1, 2),
      new: sized(1, 2),
      keys: ["name"],
    });
    expect(said(replaced)).toEqual([
      "a is replaced by another group, for name: the old one ends its machines at once, with their pods",
    ]);
    expect(risks(replaced)).toEqual(["a"]);
  });

  it("may end some machines at once when their sizes fall, which is a risk too", () => {
    const sizes = ["maxSize", "desiredCapacity"];
    const fewer = updated("a", sized(1, 4), sized(1, 3), sizes);
    expect(risks(fewer)).toEqual(["a"]);
    expect(risks(updated("a", sized(1, 4, 3), sized(1, 4, 2), sizes))).toEqual(["a"]);
    expect(risks(updated("a", sized(1, 4), sized(2, 5), sizes))).toEqual([]);
    expect(risks(fewer, { ...hook("a"), op: "same" })).toEqual([]);
    const isProtected = { ...sized(1, 3), protectFromScaleIn: true };
    expect(risks(updated("a", sized(1, 4), isProtected, sizes))).toEqual([]);
  });

  it("are left out while a size is unknown, and nothing else changes", () => {
    const unknown = { ...sized(1, 2), maxSize: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
    expect(said(updated("a", sized(1, 2), unknown, ["maxSize"]))).toEqual([]);
  });

  it("are left out if no machine changes, or if they are no pool's", () => {
    expect(said(updated("a", sized(1, 2), sized(1, 2), ["tags"]))).toEqual([]);
    const foreign: Step = { op: "delete", type, name: "other", old: sized(1, 2) };
    expect(said(foreign)).toEqual([]);
  });
});
