import { describePrices, usdPerVolumeMonth } from "../../preview/prices";

describe("usdPerVolumeMonth", () => {
  it("charges for performance beyond the included amount", () => {
    expect(usdPerVolumeMonth({ sizeGib: 50 })).toBeCloseTo(4);
    expect(usdPerVolumeMonth({ sizeGib: 50, iops: 3_000, throughputMib: 125 })).toBeCloseTo(4);
    expect(usdPerVolumeMonth({ sizeGib: 50, iops: 3_100, throughputMib: 135 })).toBeCloseTo(4.9);
  });
});

describe("describePrices", () => {
  it("says of which region and day the prices are", () => {
    expect(describePrices(["us-east-1"])).toMatch(
      /^list prices in us-east-1, on demand, November 2026, of instances 20\d\d-\d\d-\d\d$/,
    );
    expect(describePrices(["eu-central-1", "us-east-1"])).toMatch(
      /^list prices on demand: of instances in eu-central-1 2025-05-28, in us-east-1 20\d\d-\d\d-\d\d; of all else in us-east-1, November 2026$/,
    );
  });
});
