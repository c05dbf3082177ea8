import table from "../../preview/gen/instancePrices.json";
import { usdPerInstanceHour } from "../../preview/prices";
import { familyLines, readListedPrices } from "../../scripts/prices/priceTable";

const go = `// generated at 2026-07-20T13:44:30Z for us-east-1
	"us-east-1": {
		// m5 family
		"m5.24xlarge": 4.608000, "m5.large": 0.096000, "m5.metal": 4.608000, "m5.xlarge": 0.192000,
		// c4 family
		"c4.8xlarge": 1.591000, "c4.large": 0.100000, "c4.xlarge": 0.199000,
`;

describe("the table of instance prices", () => {
  it("has a price for each family, and those of the sizes that are no multiple of it", () => {
    const listed = readListedPrices(go);
    expect(listed.date).toBe("2026-07-20");
    expect(familyLines(listed)).toEqual({
      c4: "0.1 large xlarge=0.199 8xlarge=1.591",
      m5: "0.096 large xlarge 24xlarge metal=4.608",
    });
  });

  it("tells each price as it is listed", () => {
    expect(Object.keys(table.families).length).toBeGreaterThan(150);
    expect(table.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    const types = Object.entries<string>(table.families).flatMap(([family, line]) =>
      line
        .split(" ")
        .slice(1)
        .map((size) => `${family}.${size.split("=")[0] ?? ""}`),
    );
    expect(types.filter((type) => !((usdPerInstanceHour(type) ?? 0) > 0.002))).toEqual([]);
  });

  it("is made of nothing else", () => {
    expect(() => readListedPrices("package pricing")).toThrow("no table of prices");
  });
});
