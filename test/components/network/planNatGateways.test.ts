import * as fc from "fast-check";
import { NAT_STRATEGIES, planNatGateways } from "../../../components/network/planNatGateways";

const zones = fc.shuffledSubarray(
  ["a", "b", "c", "d", "e", "f"].map((letter) => `eu-west-1${letter}`),
  { minLength: 1 },
);
const pair = fc.tuple(zones, zones);

describe("planNatGateways", () => {
  it("plans none, one, or one in each zone", () => {
    const two = ["eu-west-1a", "eu-west-1b"];
    expect(planNatGateways(two, "none")).toEqual([]);
    expect(planNatGateways(two, "single")).toEqual([
      { suffix: "nat", zoneKey: "eu-west-1a", serves: two },
    ]);
    expect(planNatGateways(two, "single", "eu-west-1b")).toEqual([
      { suffix: "nat", zoneKey: "eu-west-1b", serves: two },
    ]);
    expect(planNatGateways(two, "perZone")).toEqual([
      { suffix: "nat-eu-west-1a", zoneKey: "eu-west-1a", serves: ["eu-west-1a"] },
      { suffix: "nat-eu-west-1b", zoneKey: "eu-west-1b", serves: ["eu-west-1b"] },
    ]);
  });

  it("serves every zone once, from an existing zone", () => {
    fc.assert(
      fc.property(zones, fc.constantFrom(...NAT_STRATEGIES), (keys, strategy) => {
        const plans = planNatGateways(keys, strategy);
        const served = plans.flatMap(({ serves }) => serves);
        expect([...served].sort()).toEqual(strategy === "none" ? [] : [...keys].sort());
        for (const { zoneKey } of plans) {
          expect(keys).toContain(zoneKey);
        }
        expect(new Set(plans.map(({ suffix }) => suffix)).size).toBe(plans.length);
      }),
    );
  });

  it("never moves a gateway when zones are added, removed or reordered", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const places = (keys: readonly string[], strategy: "single" | "perZone", pin?: string) =>
          new Map(
            planNatGateways(keys, strategy, pin).map(({ suffix, zoneKey }) => [suffix, zoneKey]),
          );
        const then = places(before, "perZone");
        for (const [suffix, zoneKey] of places(after, "perZone")) {
          expect(then.get(suffix) ?? zoneKey).toBe(zoneKey);
        }
        const [first] = before;
        const grown = [...before, ...after.filter((key) => !before.includes(key))];
        expect(places(grown, "single")).toEqual(places(before, "single"));
        expect(places([...grown].reverse(), "single", first)).toEqual(places(before, "single"));
      }),
    );
  });
});
