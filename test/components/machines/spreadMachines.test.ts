import * as fc from "fast-check";
import { checkSpread, spreadMachines } from "../../../components/machines/spreadMachines";

const count = fc.integer({ min: 0, max: 50 });
const zoneKeys = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1 });

describe("spreadMachines", () => {
  it("spreads any number of machines evenly over the zones", () => {
    fc.assert(
      fc.property(count, zoneKeys, (machineCount, zones) => {
        const plans = spreadMachines({ machineCount, zoneKeys: zones });
        const load = zones.map((zone) => plans.filter(({ zoneKey }) => zoneKey === zone).length);
        expect(plans).toHaveLength(machineCount);
        expect(new Set(plans.map(({ key }) => key)).size).toBe(machineCount);
        expect(Math.max(...load) - Math.min(...load)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("keeps every machine when others are added or removed", () => {
    fc.assert(
      fc.property(count, count, zoneKeys, (before, after, zones) => {
        const kept = Math.min(before, after);
        const machines = { "2": { zone: zones.at(-1) } };
        const plan = (machineCount: number) =>
          spreadMachines({ machineCount, zoneKeys: zones, machines }).slice(0, kept);
        expect(plan(after)).toEqual(plan(before));
      }),
    );
  });

  it("puts a machine in its given zone, and moves no other", () => {
    const zones = ["a", "b"];
    const plans = spreadMachines({
      machineCount: 3,
      zoneKeys: zones,
      machines: { "1": { zone: "b" } },
    });
    expect(plans).toEqual([
      { key: "1", zoneKey: "b", zoneIsChosen: true },
      { key: "2", zoneKey: "b", zoneIsChosen: false },
      { key: "3", zoneKey: "a", zoneIsChosen: false },
    ]);
  });
});

describe("checkSpread", () => {
  it("rejects unknown machines", () => {
    const problems = (machineCount: number, key: string) =>
      checkSpread({ machineCount, zoneKeys: ["a"], machines: { [key]: {} } });
    expect(problems(12, "12")).toEqual([]);
    expect(problems(12, "13")).toEqual([
      {
        property: 'machines["13"]',
        reason: 'there is no machine "13": machineCount 12 makes "1" to "12"',
      },
    ]);
    expect(problems(1, "01")[0]?.reason).toMatch(/machineCount 1 makes "1"$/);
    expect(problems(0, "1")[0]?.reason).toMatch(/machineCount 0 makes none$/);
  });

  it("rejects unknown zones", () => {
    const machines = { "1": { zone: "c" } };
    expect(checkSpread({ machineCount: 1, zoneKeys: ["a", "b"], machines })).toEqual([
      {
        property: 'machines["1"].zone',
        reason: 'the network has no zone "c": it has "a", "b"',
      },
    ]);
  });
});
