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
  ])("knows %s", (instanceType, usd) => {
    expect(usdPerInstanceHour(instanceType)).toBeCloseTo(usd, 5);
  });

  it.each(["m6i.medium", "m7g.small", "t3.4xlarge", "m6i.metal", "x9.large", "m6i", "", "t3.nano"])(
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
