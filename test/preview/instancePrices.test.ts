import table from "../../preview/gen/instancePrices.json";
import {
  isEstimate,
  priceDate,
  pricedFamilies,
  usdPerInstanceHour,
  usdPerProcessorHour,
} from "../../preview/instancePrices";

const HOME = "us-east-1";

/** Every region of AWS in May 2025, without China's. */
const REGIONS = [
  "af-south-1",
  "ap-east-1",
  "ap-northeast-1",
  "ap-northeast-2",
  "ap-northeast-3",
  "ap-south-1",
  "ap-south-2",
  "ap-southeast-1",
  "ap-southeast-2",
  "ap-southeast-3",
  "ap-southeast-4",
  "ap-southeast-5",
  "ap-southeast-7",
  "ca-central-1",
  "ca-west-1",
  "eu-central-1",
  "eu-central-2",
  "eu-north-1",
  "eu-south-1",
  "eu-south-2",
  "eu-west-1",
  "eu-west-2",
  "eu-west-3",
  "il-central-1",
  "me-central-1",
  "me-south-1",
  "mx-central-1",
  "sa-east-1",
  "us-east-1",
  "us-east-2",
  "us-gov-east-1",
  "us-gov-west-1",
  "us-west-1",
  "us-west-2",
];

describe("usdPerInstanceHour", () => {
  // As AWS lists them one by one.
  it.each([
    ["t3.small", 0.0208],
    ["t3.medium", 0.0416],
    ["t4g.medium", 0.0336],
    ["t4g.2xlarge", 0.2688],
    ["m6i.large", 0.096],
    ["m6i.8xlarge", 1.536],
    ["m7g.medium", 0.0408],
    ["m7g.4xlarge", 0.6528],
    ["c6g.xlarge", 0.136],
    ["r6g.2xlarge", 0.4032],
    // As SkyPilot's catalog lists them (catalogs/v8/aws/vms.csv).
    ["a1.2xlarge", 0.204],
    ["a1.metal", 0.408],
    ["c3.8xlarge", 1.68],
    // As Karpenter's table lists them, 2026-07-20.
    ["c7a.large", 0.10264],
    ["m7i-flex.large", 0.09576],
    ["m8g.large", 0.08976],
    ["g4dn.xlarge", 0.526],
    ["g5.xlarge", 1.006],
    ["g6.xlarge", 0.8048],
    ["i4i.large", 0.172],
  ])("knows %s in us-east-1", (instanceType, usd) => {
    expect(usdPerInstanceHour(instanceType, HOME)).toBeCloseTo(usd, 5);
  });

  // A source that is not of the table: SkyPilot's catalog, catalogs/v8/aws/vms.csv at e385a0d348ed.
  it.each([
    ["m7i.xlarge", "eu-central-1", 0.2415],
    ["m7i.xlarge", "us-west-1", 0.2352],
    ["c5d.24xlarge", "me-central-1", 5.755],
    ["m8g.12xlarge", "eu-central-1", 2.58096],
    ["m8g.12xlarge", "ap-south-1", 1.53984],
    ["m8g.12xlarge", "us-west-2", 2.15424],
    ["c5d.24xlarge", "eu-south-1", 5.472],
    ["c5d.9xlarge", "af-south-1", 2.34],
    ["c5d.4xlarge", "me-south-1", 0.959],
    ["c5d.2xlarge", "ap-east-1", 0.492],
    ["g6.xlarge", "eu-central-1", 1.0064],
    ["g6.8xlarge", "eu-west-2", 2.55705],
    ["g6e.12xlarge", "eu-north-1", 11.12975],
    ["t4g.large", "me-south-1", 0.0803],
    ["t4g.medium", "ap-south-1", 0.0224],
    ["t4g.micro", "ap-northeast-3", 0.0109],
    ["t4g.nano", "eu-west-3", 0.0047],
    ["m8g.metal-24xl", "us-east-1", 4.30848],
    ["m8g.metal-24xl", "eu-central-1", 5.16192],
    ["m8g.metal-48xl", "us-west-1", 10.05312],
  ])("knows %s in %s", (instanceType, region, usd) => {
    expect(usdPerInstanceHour(instanceType, region)).toBeCloseTo(usd, 4);
  });

  it("knows every current family for machines in us-east-1", () => {
    for (const type of [
      "m8i.large",
      "m8g.48xlarge",
      "c8g.medium",
      "r8g.metal-24xl",
      "c7a.48xlarge",
      "g5g.xlarge",
      "g6e.xlarge",
      "i4i.32xlarge",
      "m7i-flex.xlarge",
      "p4d.24xlarge",
      "p5.48xlarge",
    ]) {
      expect(usdPerInstanceHour(type, HOME), type).toBeGreaterThan(0.01);
    }
  });

  it.each([
    ["m6i.medium", HOME],
    ["m7g.small", HOME],
    ["t3.4xlarge", HOME],
    ["x99.large", HOME],
    ["m6i", HOME],
    ["", HOME],
    ["constructor.large", HOME],
    // Where its source is older, of a type whose price has changed.
    ["p5.48xlarge", "eu-north-1"],
    // A newer family whose price nothing tells, one that the region lacks, and bare metal.
    ["m9g.large", "eu-central-1"],
    ["c8i.large", "il-central-1"],
    ["m8i.metal-48xl", "eu-central-1"],
    // The region lacks a size that others have.
    ["m7g.metal", "us-gov-west-1"],
    // China's are in yuan, and a newer region may have any.
    ["m6i.large", "cn-north-1"],
    ["m6i.large", "xx-north-9"],
    ["m6i.large", "constructor"],
  ])('knows that it doesn\'t know "%s" in %s', (instanceType, region) => {
    expect(usdPerInstanceHour(instanceType, region)).toBeUndefined();
  });
});

describe("an estimate", () => {
  // SkyPilot's catalog, catalogs/v8/aws/vms.csv of February 2026 or later, in yottalabsai's copy at 60441f0b4069.
  it.each([
    ["m8i.xlarge", "ap-northeast-1", 0.27342],
    ["m8i.xlarge", "ap-northeast-2", 0.26018],
    ["m8i.xlarge", "ap-south-1", 0.2227],
    ["m8i.xlarge", "ap-southeast-1", 0.2646],
    ["m8i.xlarge", "ap-southeast-2", 0.2646],
    ["m8i.xlarge", "ca-central-1", 0.23594],
    ["m8i.xlarge", "eu-central-1", 0.25358],
    ["m8i.xlarge", "eu-south-2", 0.23594],
    ["m8i.xlarge", "us-east-2", 0.21168],
    ["m8i.xlarge", "us-west-2", 0.21168],
    ["m8a.large", "ap-northeast-1", 0.15722],
    ["m8a.large", "eu-south-2", 0.13566],
    ["m8a.large", "us-west-2", 0.12172],
    ["m8a.48xlarge", "ap-northeast-1", 15.09312],
    ["m8g.12xlarge", "ap-northeast-2", 2.64816],
    ["m8g.12xlarge", "ap-northeast-3", 2.78256],
    ["m8g.12xlarge", "ap-southeast-3", 2.6928],
    ["m8g.12xlarge", "ap-southeast-4", 2.6928],
    ["m8g.12xlarge", "ca-central-1", 2.40144],
    ["m8g.12xlarge", "eu-west-3", 2.51328],
    ["m8g.12xlarge", "me-central-1", 2.64096],
    ["m8g.12xlarge", "me-south-1", 2.96208],
  ])("of %s in %s is within 0.1% of the price", (instanceType, region, usd) => {
    const [family = ""] = instanceType.split(".");
    expect(isEstimate(family, region)).toBe(true);
    const estimate = usdPerInstanceHour(instanceType, region) ?? 0;
    expect(Math.abs(estimate / usd - 1)).toBeLessThan(0.001);
  });

  it("is of no family that is listed", () => {
    for (const region of REGIONS) {
      const { families, estimates } = (table.regions as Record<string, Lines>)[region] ?? {};
      const both = Object.keys(estimates ?? {}).filter((family) =>
        Object.hasOwn(families ?? {}, family),
      );
      expect(both, region).toEqual([]);
    }
    expect(isEstimate("m8i", HOME)).toBe(false);
    expect(isEstimate("m7i", "eu-central-1")).toBe(false);
    expect(isEstimate("constructor", "eu-central-1")).toBe(false);
  });
});

interface Lines {
  readonly families: object;
  readonly estimates: object;
}

describe("the table of instance prices", () => {
  it("has each region with its date, and the copyright of its source", () => {
    expect(Object.keys(table.regions)).toEqual(REGIONS);
    for (const region of REGIONS) {
      expect(priceDate(region)).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
    expect(priceDate("cn-north-1")).toBeUndefined();
    expect(table.notice).toContain("Copyright (c) 2013 Garret Heaton (powdahound.com)");
  });

  it.each(REGIONS)("has the machines of clusters in %s", (region) => {
    for (const type of ["t3.medium", "t3.large", "m6g.large", "c6g.xlarge", "r6g.2xlarge"]) {
      expect(usdPerInstanceHour(type, region), type).toBeGreaterThan(0.02);
    }
    const large = usdPerInstanceHour("m6g.large", region) ?? 0;
    expect(usdPerProcessorHour("m6g", region)).toBeCloseTo(large / 2, 4);
    // It has 7.7 cents in us-east-1. With Windows, or in yuan, it would have more.
    expect(large).toBeLessThan(0.14);
  });

  it("has a price for each of its types", () => {
    const sizes: Readonly<Record<string, string>> = table.sizes;
    const types = REGIONS.flatMap((region) =>
      pricedFamilies(region).flatMap((family) =>
        (sizes[family] ?? "").split(" ").map((size) => ({ region, type: `${family}.${size}` })),
      ),
    );
    const prices = types.flatMap(({ region, type }) => usdPerInstanceHour(type, region) ?? []);
    expect(prices.length).toBeGreaterThan(14_000);
    expect(prices.every((usd) => usd > 0.002 && usd < 1_000)).toBe(true);
  });
});
