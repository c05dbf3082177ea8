import * as fc from "fast-check";
import { planScalingGroups } from "../../../components/workers/planScalingGroups";

const zoneKeys = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { minLength: 1 });
const scaling = fc
  .record({
    minSize: fc.nat(20),
    more: fc.nat(20),
    extra: fc.nat(20),
    onDemandBaseSize: fc.nat(20),
    groups: fc.constantFrom("perZone" as const, "single" as const),
  })
  .map(({ minSize, more, extra, ...rest }) => ({
    ...rest,
    minSize,
    desiredSize: minSize + more,
    maxSize: minSize + more + extra,
  }));

describe("planScalingGroups", () => {
  it("divides the pool's sizes exactly, with a possible size per group", () => {
    fc.assert(
      fc.property(scaling, zoneKeys, (choices, zones) => {
        const plans = planScalingGroups(choices, zones);
        const sum = (size: "minSize" | "maxSize" | "desiredSize" | "onDemandBaseSize") =>
          plans.reduce((total, plan) => total + plan[size], 0);
        expect(sum("minSize")).toBe(choices.minSize);
        expect(sum("maxSize")).toBe(choices.maxSize);
        expect(sum("desiredSize")).toBe(choices.desiredSize);
        expect(sum("onDemandBaseSize")).toBe(choices.onDemandBaseSize);
        for (const plan of plans) {
          expect(plan.minSize).toBeLessThanOrEqual(plan.desiredSize);
          expect(plan.desiredSize).toBeLessThanOrEqual(plan.maxSize);
        }
      }),
    );
  });

  it("names groups only by their zones", () => {
    fc.assert(
      fc.property(scaling, zoneKeys, (choices, zones) => {
        const keys = planScalingGroups(choices, zones).map(({ key }) => key);
        expect(keys).toEqual(choices.groups === "single" ? ["all"] : zones);
      }),
    );
  });

  it("changes only sizes when a zone is added", () => {
    const before = planScalingGroups({ minSize: 3, maxSize: 6 }, ["a", "b"]);
    const after = planScalingGroups({ minSize: 3, maxSize: 6 }, ["a", "b", "c"]);
    expect(before.map(({ key, minSize, maxSize }) => [key, minSize, maxSize])).toEqual([
      ["a", 2, 3],
      ["b", 1, 3],
    ]);
    expect(after.map(({ key, minSize, maxSize }) => [key, minSize, maxSize])).toEqual([
      ["a", 1, 2],
      ["b", 1, 2],
      ["c", 1, 2],
    ]);
  });
});
