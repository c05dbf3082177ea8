import * as fc from "fast-check";
import { checkMachines, planMachines } from "../../../components/controlPlane/planMachines";

const count = fc.constantFrom(1, 3, 5);
const zoneKeys = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1 });

describe("planMachines", () => {
  it("spreads machines so that no zone has two more than another", () => {
    fc.assert(
      fc.property(count, zoneKeys, (machineCount, zones) => {
        const plans = planMachines({ machineCount, zoneKeys: zones });
        const load = zones.map((zone) => plans.filter(({ zoneKey }) => zoneKey === zone).length);
        expect(plans).toHaveLength(machineCount);
        expect(Math.max(...load) - Math.min(...load)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("keeps existing machines when others are added", () => {
    fc.assert(
      fc.property(zoneKeys, (zones) => {
        const three = planMachines({ machineCount: 3, zoneKeys: zones });
        expect(planMachines({ machineCount: 5, zoneKeys: zones }).slice(0, 3)).toEqual(three);
        expect(three.map(({ key }) => key)).toEqual(["1", "2", "3"]);
      }),
    );
  });

  it("puts a machine in its given zone", () => {
    const plans = planMachines({
      machineCount: 3,
      zoneKeys: ["a", "b"],
      machines: { "3": { zone: "b" }, "1": {} },
    });
    expect(plans).toEqual([
      { key: "1", zoneKey: "a", zoneIsChosen: false },
      { key: "2", zoneKey: "b", zoneIsChosen: false },
      { key: "3", zoneKey: "b", zoneIsChosen: true },
    ]);
  });
});

describe("checkMachines", () => {
  it.each([1, 3, 5])("accepts %d machines", (machineCount) => {
    expect(checkMachines({ machineCount, zoneKeys: ["a"] })).toEqual([]);
  });

  it.each([2, 4, 6])("rejects %d machines, with the reason", (machineCount) => {
    expect(checkMachines({ machineCount, zoneKeys: ["a"] })).toEqual([
      {
        property: "machineCount",
        reason: expect.stringMatching(/majority.*take 1, 3 or 5/) as string,
      },
    ]);
  });

  it.each([0, 7, -1, 1.5])("rejects %d machines", (machineCount) => {
    const [problem] = checkMachines({ machineCount, zoneKeys: ["a"] });
    expect(problem?.reason).toMatch(/take 1, 3 or 5/);
  });

  it("says how to remove the last machine", () => {
    const [problem] = checkMachines({ machineCount: 0, zoneKeys: ["a"] });
    expect(problem?.reason).toBe(
      `a control plane can't have 0 machines: take 1, 3 or 5. To remove the cluster, run "talos-aws destroy"`,
    );
  });

  it("rejects unknown machines and zones", () => {
    const machines = { "4": {}, "1": { zone: "z" } };
    expect(checkMachines({ machineCount: 3, zoneKeys: ["a", "b"], machines })).toEqual([
      { property: `machines["1"].zone`, reason: expect.stringContaining(`no zone "z"`) as string },
      { property: `machines["4"]`, reason: expect.stringContaining(`"1" to "3"`) as string },
    ]);
  });
});
