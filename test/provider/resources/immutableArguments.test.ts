import { UNKNOWN } from "../../../provider/base/unknown";
import { immutableArgumentsHandler as handler } from "../../../provider/resources/immutableArguments";
import { silent } from "../progress";

const reasons = { "network.cidrBlock": "make another cluster", "pools.a.type": "add another pool" };
const made = { values: { "network.cidrBlock": "10.0.0.0/16", "pools.a.type": "amd64" } };

async function failuresOf(values: Record<string, string>, accepted: Record<string, string> = {}) {
  return (await handler.check(made, { values, reasons, accepted })).failures;
}

describe("arguments that can't change", () => {
  it("are recorded when there is nothing to compare with", async () => {
    const inputs = { ...made, reasons, accepted: {} };
    expect((await handler.check(undefined, inputs)).failures).toEqual([]);
    expect((await handler.check({}, inputs)).failures).toEqual([]);
    expect(await handler.create(inputs, silent)).toMatchObject({ state: made });
  });

  it("are not recorded while something else refuses the run", async () => {
    const refusals = ["too many machines"];
    const { failures } = await handler.check(undefined, {
      ...made,
      reasons,
      accepted: {},
      refusals,
    });
    expect(failures).toEqual([{ property: "", reason: "too many machines" }]);
  });

  it("are rejected all at once, with both values and what to do", async () => {
    expect(
      await failuresOf({ "network.cidrBlock": "10.1.0.0/16", "pools.a.type": "arm64" }),
    ).toEqual([
      {
        property: "network.cidrBlock",
        reason: `it can't change from "10.0.0.0/16" to "10.1.0.0/16": make another cluster. To change it all the same, set acceptedChanges to {"network.cidrBlock":"10.1.0.0/16"}`,
      },
      {
        property: "pools.a.type",
        reason: `it can't change from "amd64" to "arm64": add another pool. To change it all the same, set acceptedChanges to {"pools.a.type":"arm64"}`,
      },
    ]);
  });

  it("may change only to an accepted value", async () => {
    const news = { ...made.values, "pools.a.type": "arm64" };
    expect(await failuresOf(news, { "pools.a.type": "arm64" })).toEqual([]);
    expect(await failuresOf(news, { "pools.a.type": "riscv64" })).toHaveLength(1);
    const inputs = { values: news, reasons, accepted: {} };
    expect(handler.diff("id", made, inputs)).toEqual({ changes: true });
    expect(await handler.update("id", made, inputs, silent)).toEqual({ values: news });
  });

  it("warn of what a cluster loses with a path that leaves, once it is recorded", async () => {
    const removals = { "addOns.flux": "its content stays" };
    const warningsOf = async (
      olds: Partial<typeof made & { removals: typeof removals }> | undefined,
      news: Record<string, string>,
    ) =>
      (await handler.check(olds, { ...made, reasons, accepted: {}, removals: news })).warnings ??
      [];
    expect(await warningsOf({ ...made, removals }, {})).toEqual([
      "addOns.flux is left out: its content stays",
    ]);
    expect(await warningsOf({ ...made, removals }, removals)).toEqual([]);
    expect(await warningsOf(made, {})).toEqual([]);
    expect(await warningsOf(undefined, {})).toEqual([]);
    const inputs = { ...made, reasons, accepted: {}, removals };
    expect(handler.diff("id", made, inputs)).toEqual({ changes: false });
  });

  it("neither come nor go beside a value that stays, if they belong to it", async () => {
    const type = { "pools.a.type": "amd64" };
    const volumes = "pools.a.volumes";
    const recordedWith = { [volumes]: "pools.a.type" };
    const check = async (
      before: Record<string, string>,
      values: Record<string, string>,
      accepted: Record<string, string> = {},
    ) =>
      (
        await handler.check({ values: before }, { values, reasons, accepted, recordedWith })
      ).failures.map(({ property, reason }) => `${property}: ${reason}`);
    const added = { ...type, [volumes]: "data 8 GiB" };
    const otherwise = (value: string) =>
      `make another cluster. To change it all the same, set acceptedChanges to {"${volumes}":"${value}"}`;
    expect(await check(type, added)).toEqual([
      `${volumes}: it can't change from "none" to "data 8 GiB": ${otherwise("data 8 GiB")}`,
    ]);
    expect(await check(added, type)).toEqual([
      `${volumes}: it can't change from "data 8 GiB" to "none": ${otherwise("none")}`,
    ]);
    expect(await check(type, added, { [volumes]: "data 8 GiB" })).toEqual([]);
    expect(await check(added, type, { [volumes]: "none" })).toEqual([]);
    // A pool that comes or goes as a whole, and one that stays as it is.
    expect(await check({}, added)).toEqual([]);
    expect(await check(added, {})).toEqual([]);
    expect(await check(added, added)).toEqual([]);
  });

  it("count under the names that an earlier release gave them", async () => {
    const formerPaths = { "pools.a.type.architecture": "pools.a.type" };
    const check = async (architecture: string, accepted: Record<string, string> = {}) => {
      const values = { ...made.values, "pools.a.type.architecture": architecture };
      const { "pools.a.type": _, ...renamed } = values;
      const news = { values: renamed, reasons: {}, accepted, formerPaths };
      return { news, ...(await handler.check(made, news)) };
    };
    const same = await check("amd64");
    expect(same.failures).toEqual([]);
    expect(handler.diff("id", made, same.inputs)).toEqual({ changes: false });
    expect((await check("arm64")).failures).toMatchObject([
      { property: "pools.a.type.architecture" },
    ]);
    expect((await check("arm64", { "pools.a.type": "arm64" })).failures).toEqual([]);
    expect((await check("arm64", { "pools.a.type.architecture": "arm64" })).failures).toEqual([]);
    const changed = await check("arm64", { "pools.a.type": "arm64" });
    expect(handler.diff("id", made, changed.inputs)).toEqual({ changes: true });
  });

  it("that a cluster keeps may go back to the first value, however often they were changed", async () => {
    const path = "podCidrs";
    const check = (olds: object, value: string, accepted: Record<string, string> = {}) =>
      handler.check(olds, { values: { [path]: value }, reasons, accepted, born: [path] });
    const first = await check({}, "10.1.0.0/16");
    expect(first.inputs.first).toBeUndefined();
    expect((await check(first.inputs, "10.2.0.0/16")).failures).toHaveLength(1);
    const second = await check(first.inputs, "10.2.0.0/16", { [path]: "10.2.0.0/16" });
    const third = await check(second.inputs, "10.3.0.0/16", { [path]: "10.3.0.0/16" });
    expect([second.failures, third.failures]).toEqual([[], []]);
    expect(third.inputs.first).toEqual({ [path]: "10.1.0.0/16" });
    const back = await check(third.inputs, "10.1.0.0/16");
    expect(back.failures).toEqual([]);
    expect(back.inputs.first).toBeUndefined();
    expect((await check(third.inputs, "10.2.0.0/16")).failures).toHaveLength(1);
  });

  it("that a cluster keeps are recorded without a change of the resource", () => {
    const news = { values: { ...made.values, podCidrs: "a" }, reasons, accepted: {} };
    expect(handler.diff("id", made, { ...news, born: ["podCidrs"] })).toEqual({ changes: false });
    expect(handler.diff("id", made, news)).toEqual({ changes: true });
    const state = { values: news.values };
    const other = { ...news, values: { ...made.values, podCidrs: "b" }, born: ["podCidrs"] };
    expect(handler.diff("id", state, other)).toEqual({ changes: true });
  });

  it("may be removed, added, and unknown", async () => {
    expect(await failuresOf({ "network.cidrBlock": "10.0.0.0/16" })).toEqual([]);
    expect(await failuresOf({ ...made.values, "pools.b.type": "arm64" })).toEqual([]);
    expect(await failuresOf({ ...made.values, "network.cidrBlock": UNKNOWN })).toEqual([]);
  });
});
