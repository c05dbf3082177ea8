import { usdPerInstanceHour, usdPerVolumeMonth } from "../../preview/prices";

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
  ])("knows %s", (instanceType, usd) => {
    expect(usdPerInstanceHour(instanceType)).toBeCloseTo(usd, 5);
  });

  it("knows every current family for machines", () => {
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
      expect(usdPerInstanceHour(type), type).toBeGreaterThan(0.01);
    }
  });

  it.each(["m6i.medium", "m7g.small", "t3.4xlarge", "x99.large", "m6i", "", "constructor.large"])(
    'knows that it doesn\'t know "%s"',
    (instanceType) => {
      expect(usdPerInstanceHour(instanceType)).toBeUndefined();
    },
  );
});

describe("usdPerVolumeMonth", () => {
  it("charges for performance beyond the included amount", () => {
    expect(usdPerVolumeMonth({ sizeGib: 50 })).toBeCloseTo(4);
    expect(usdPerVolumeMonth({ sizeGib: 50, iops: 3_000, throughputMib: 125 })).toBeCloseTo(4);
    expect(usdPerVolumeMonth({ sizeGib: 50, iops: 3_100, throughputMib: 135 })).toBeCloseTo(4.9);
  });
});
