import table from "../../preview/gen/instancePrices.json";
import { isEstimate, usdPerInstanceHour } from "../../preview/instancePrices";
import {
  estimatePrices,
  OLDER_FAMILY,
  readOfferedTypes,
} from "../../scripts/prices/estimatedPrices";

const HOME = "us-east-1";

const prices = (usdPerHour: Readonly<Record<string, number>>) => ({
  date: "2025-05-28",
  usdPerHour: new Map(Object.entries(usdPerHour)),
});

const home = prices({
  ...{ "m6i.large": 0.1, "m7i.large": 0.2, "m8i.large": 0.3, "m8i.xlarge": 0.6 },
  ...{ "m8g.large": 0.1, "m9g.large": 0.2 },
});

const offered = (...types: readonly string[]) =>
  readOfferedTypes(JSON.stringify({ description: "by region", "eu-north-1": { enum: types } }));

const estimatesOf = (listed: Readonly<Record<string, number>>, ...types: readonly string[]) => {
  const regions = new Map([
    [HOME, home],
    ["eu-north-1", prices(listed)],
  ]);
  const there = estimatePrices(regions, offered(...types), HOME).get("eu-north-1");
  return Object.fromEntries(there?.usdPerHour ?? []);
};

describe("an estimate of a price", () => {
  it("is the price at home by what the older family costs more or less in the region", () => {
    expect(estimatesOf({ "m7i.large": 0.22 }, "m8i.large", "m8i.xlarge")).toEqual({
      "m8i.large": 0.33,
      "m8i.xlarge": 0.66,
    });
  });

  it("goes by a still older family where the older one has no price", () => {
    expect(estimatesOf({ "m6i.large": 0.08 }, "m8i.large")).toEqual({ "m8i.large": 0.24 });
  });

  it.each([
    ["a type that the region lacks", { "m7i.large": 0.22 }, ["m5.large"]],
    ["a family that has a price", { "m7i.large": 0.22, "m8i.large": 0.4 }, ["m8i.xlarge"]],
    ["a family without an older one that tells its price", { "m8g.large": 0.1 }, ["m9g.large"]],
    ["a region without any price of the older families", { "c5.large": 0.1 }, ["m8i.large"]],
    ["a type that home lacks", { "m7i.large": 0.22 }, ["m8i.2xlarge"]],
  ])("isn't made of %s", (_, listed, types) => {
    expect(estimatesOf(listed, ...types)).toEqual({});
  });

  it("rests on families whose prices are listed in several regions, and go together within 0.1%", () => {
    const listed = (family: string, region: string) =>
      isEstimate(family, region) ? undefined : usdPerInstanceHour(`${family}.large`, region);
    const errors = Object.entries(OLDER_FAMILY).flatMap(([family, older]) =>
      Object.keys(table.regions).flatMap((region) => {
        const [usd, olderUsd] = [listed(family, region), listed(older, region)];
        const [atHome, olderAtHome] = [listed(family, HOME), listed(older, HOME)];
        if (region === HOME || !usd || !olderUsd || !atHome || !olderAtHome) {
          return [];
        }
        return [Math.abs((atHome * olderUsd) / olderAtHome / usd - 1)];
      }),
    );
    expect(errors.length).toBeGreaterThan(150);
    expect(Math.max(...errors)).toBeLessThan(0.001);
  });

  it("is made of nothing but a list of types by region", () => {
    expect(() => readOfferedTypes("{}")).toThrow("no list of instance types by region");
  });
});
