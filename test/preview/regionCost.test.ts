import { renderMarkdown, renderReportsMarkdown, renderText } from "../../preview";
import { cluster, instance, type Step, summaryOf } from "./steps";

const HOURS = 730.5;

const machine = (name: string, instanceType: string, region: string): Step => ({
  ...{ op: "create", type: instance, name, region },
  new: { instanceType, rootBlockDevice: { volumeSize: 50 } },
});

const costLine = (...steps: readonly Step[]) =>
  /^Cost: (.*)$/m.exec(renderMarkdown(summaryOf(...steps)))?.[1];

describe("the cost in a region", () => {
  it("has that region's prices of instances, and says whose the others are", () => {
    const summary = summaryOf(machine("m-1", "m6i.large", "eu-central-1"));
    // 0.115 an hour: SkyPilot's catalog, catalogs/v8/aws/vms.csv at e385a0d348ed.
    expect(summary.cost.after.usd).toBeCloseTo(0.115 * HOURS + 50 * 0.08, 2);
    expect(summary.cost.after.unpriced).toEqual([]);
    expect(summary.cost.regions).toEqual(["eu-central-1"]);
    expect(renderText(summary)).toContain(
      "$0 → $88 (+$88) a month, traffic on top (list prices on demand: of instances in eu-central-1 2025-05-28; of all else in us-east-1, November 2026)",
    );
  });

  it("is known of each region of a stack, by what the state or the plan says of a resource", () => {
    const recorded = { ...machine("m-2", "m6i.large", "us-east-1"), op: "same" as const };
    const { cost } = summaryOf(machine("m-1", "m6i.large", "eu-central-1"), {
      ...recorded,
      old: recorded.new ?? {},
    });
    expect(cost.before.usd).toBeCloseTo(0.096 * HOURS + 4, 2);
    expect(cost.after.usd).toBeCloseTo((0.096 + 0.115) * HOURS + 8, 2);
    expect(cost.regions).toEqual(["eu-central-1", "us-east-1"]);
  });

  it("goes by a resource's own argument before its provider's region", () => {
    const [own] = [machine("m-1", "m6i.large", "us-east-1")];
    const { cost } = summaryOf({ ...own, new: { ...own.new, region: "eu-central-1" } });
    expect(cost.regions).toEqual(["eu-central-1"]);
  });

  it("names a type whose price isn't known there, though another region has one", () => {
    expect(
      costLine(
        machine("m-1", "m6i.large", "eu-central-1"),
        machine("m-2", "m9g.large", "eu-central-1"),
      ),
    ).toMatch(/; without m9g\.large in eu-central-1, whose price isn't known \(/);
  });

  it("is about what it is for a newer family, and names the machines that it is estimated for", () => {
    const newer = machine("m-1", "m8i.large", "eu-central-1");
    const { new: older = {} } = machine("m-1", "m7i.large", "eu-central-1");
    const change: Step = { ...newer, op: "update", old: older };
    // m8i.xlarge has 0.25358 there: SkyPilot's catalog, catalogs/v8/aws/vms.csv, February 2026 or later.
    expect(summaryOf(change).cost).toMatchObject({
      before: { estimated: [] },
      after: { estimated: ["m8i.large in eu-central-1"], unpriced: [] },
    });
    expect(summaryOf(change).cost.after.usd).toBeCloseTo((0.25358 / 2) * HOURS + 4, 2);
    expect(costLine(change)).toMatch(
      /^about \$92 → \$97 \(\+\$5\) a month, traffic on top; estimated for m8i\.large in eu-central-1, by the older family's price there \(/,
    );
    const { new: same = {} } = newer;
    expect(costLine({ ...newer, op: "same", old: same })).toMatch(/^stays at about \$97 a month/);
  });

  it("is no estimate in a region without the family", () => {
    expect(costLine(machine("m-1", "c8i.large", "il-central-1"))).toContain(
      "without c8i.large in il-central-1, whose price isn't known",
    );
  });

  it.each(["cn-north-1", "xx-north-9"])("is no other region's in %s", (region) => {
    const summary = summaryOf(machine("m-1", "m6i.large", region));
    expect(summary.cost).toMatchObject({ after: { usd: 0, usdAtMost: 0 }, regions: [] });
    expect(renderText(summary)).toContain(
      `not known: there are no prices of the resources in ${region}\n`,
    );
  });

  it("is never nothing in the table of several stacks", () => {
    const report = (stack: string, region: string) => ({
      stack,
      summary: summaryOf(machine("m-1", "m9g.large", region)),
    });
    const page = renderReportsMarkdown([
      report("europe", "eu-central-1"),
      report("china", "cn-north-1"),
    ]);
    expect(page).toMatch(/^\| europe .*a month, without what has no known price \|$/m);
    expect(page).toMatch(/^\| china .*\| not known \|$/m);
  });

  it("is not known as long as the region isn't", () => {
    expect(costLine(machine("m-1", "m6i.large", ""))).toBe(
      "not known: there are no prices of the resources in a region that isn't known yet",
    );
    const nothing = { op: "create", type: "aws:iam/role:Role", name: "r", new: {} } as const;
    expect(costLine(nothing)).toMatch(/^stays at \$0 a month/);
  });
});

describe("the cost of a pool of Karpenter in a region", () => {
  const pool = (karpenter: object, parent = cluster): Step => ({
    ...{ op: "create", type: "talos-aws:index:KarpenterWorkerPool", name: "pool", parent },
    new: { karpenter, volumesGib: 0, publicAddresses: false },
  });
  const queue = (region: string, parent = cluster): Step => ({
    ...{ op: "create", type: "aws:sqs/queue:Queue", name: "queue", parent, region },
    new: {},
  });
  const limits = { vcpus: 100 };

  it("is that of the region of its cluster", () => {
    const named = { limits, instanceFamilies: ["m6i"] };
    const other = `${cluster}-other`;
    const { cost } = summaryOf(
      queue("us-east-1", other),
      queue("eu-central-1"),
      pool(named, cluster),
    );
    expect(cost.after.usdAtMost).toBeCloseTo((0.115 / 2) * 100 * HOURS, 2);
    expect(cost.regions).toEqual(["eu-central-1"]);
  });

  it("names each family that it allows and that has no price there", () => {
    const { cost } = summaryOf(
      queue("eu-central-1"),
      pool({ limits, instanceTypes: ["m9g.large", "m9g.xlarge", "m6i.large"] }),
    );
    expect(cost.after.unpriced).toEqual(["m9g machines of Karpenter in eu-central-1"]);
    expect(cost.after.usdAtMost).toBeCloseTo((0.115 / 2) * 100 * HOURS, 2);
  });

  it("says that it is estimated if the dearest family's price is", () => {
    const estimated = (...instanceFamilies: readonly string[]) =>
      summaryOf(queue("eu-central-1"), pool({ limits, instanceFamilies })).cost.after.estimated;
    expect(estimated("m8i", "m6i")).toEqual(["m8i machines of Karpenter in eu-central-1"]);
    expect(estimated("m8i", "r7i")).toEqual([]);
  });

  it("takes the dearest of the families that the region has", () => {
    const [here, there] = ["us-east-1", "eu-central-1"].map(
      (region) => summaryOf(queue(region), pool({ limits })).cost.after,
    );
    expect(there?.unpriced).toEqual([]);
    expect(there?.usdAtMost).toBeGreaterThan(0);
    expect(there?.usdAtMost).not.toBeCloseTo(here?.usdAtMost ?? 0, 0);
  });
});
