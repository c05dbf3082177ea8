import {
  mergePrices,
  readInstancesInfo,
  readKarpenterPrices,
} from "../../scripts/prices/listedPrices";
import { priceTable } from "../../scripts/prices/priceTable";

const karpenter = `// generated at 2026-07-20T13:44:30Z for us-east-1
	// us-east-1
	"us-east-1": {
		// m5 family
		"m5.24xlarge": 4.608000, "m5.large": 0.096000, "m5.metal": 5.068800, "m5.xlarge": 0.192000,
		// p5 family
		"p5.48xlarge": 55.040000,
	},
	"us-gov-west-1": {
		"c4.8xlarge": 1.591000, "c4.large": 0.100000, "c4.xlarge": 0.199000,
	},
`;

const info = JSON.stringify([
  listed("m5.large", { "us-east-1": "0.096", "eu-central-1": "0.115", "us-east-1-dfw-1": "0.12" }),
  listed("m5.xlarge", { "us-east-1": "0.192", "eu-central-1": "0.23", "us-east-1-wl1": "0.25" }),
  listed("m5.metal", { "us-east-1": "4.608", "eu-central-1": "5.6" }),
  listed("p5.48xlarge", { "us-east-1": "98.32", "eu-central-1": "120.5" }),
  { instance_type: "mac1.metal", pricing: { "eu-central-1": { dedicated: { ondemand: "1.2" } } } },
]);

function listed(instanceType: string, prices: Readonly<Record<string, string>>) {
  const pricing = Object.fromEntries(
    Object.entries(prices).map(([region, ondemand]) => [region, { linux: { ondemand } }]),
  );
  return { instance_type: instanceType, pricing };
}

const merged = () =>
  mergePrices(readKarpenterPrices(karpenter), readInstancesInfo(info, "2025-05-28"));

describe("the table of instance prices", () => {
  it("has a price for each family and region, the sizes that are no multiple of it, and those that a region lacks", () => {
    const usdPerHour = new Map(Object.entries({ "c4.large": 0.12, "c4.xlarge": 0.24 }));
    const estimates = new Map([["eu-central-1", { date: "2025-05-28", usdPerHour }]]);
    expect(priceTable(merged(), estimates)).toEqual({
      sizes: {
        c4: "large xlarge 8xlarge",
        m5: "large xlarge 24xlarge metal",
        p5: "48xlarge",
      },
      regions: {
        "eu-central-1": {
          date: "2025-05-28",
          families: { m5: "0.115 -24xlarge metal=5.6" },
          estimates: { c4: "0.12 -8xlarge" },
        },
        "us-east-1": {
          date: "2026-07-20",
          families: { m5: "0.096 metal=4.608", p5: "0.5733333" },
          estimates: {},
        },
        "us-gov-west-1": {
          date: "2026-07-20",
          families: { c4: "0.1 xlarge=0.199 8xlarge=1.591" },
          estimates: {},
        },
      },
    });
  });

  it("leaves out what the older source says of a type whose price has changed since", () => {
    const there = (region: string) => merged().get(region)?.usdPerHour.get("p5.48xlarge");
    expect(there("us-east-1")).toBe(55.04);
    expect(there("eu-central-1")).toBeUndefined();
  });

  it("has bare metal of the older source alone, since the newer has it with dedicated tenancy", () => {
    const [newer, there] = [readKarpenterPrices(karpenter), merged()];
    expect(newer.get("us-east-1")?.usdPerHour.has("m5.metal")).toBe(false);
    expect(there.get("us-east-1")?.usdPerHour.get("m5.metal")).toBe(4.608);
    expect(there.get("eu-central-1")?.usdPerHour.get("m5.metal")).toBe(5.6);
  });

  it("leaves out local zones, and what is no machine with Linux on demand", () => {
    const regions = readInstancesInfo(info, "2025-05-28");
    expect([...regions.keys()].sort()).toEqual(["eu-central-1", "us-east-1"]);
    expect(regions.get("eu-central-1")?.usdPerHour.has("mac1.metal")).toBe(false);
  });

  it("is made of nothing else", () => {
    expect(() => readKarpenterPrices("package pricing")).toThrow("no table of prices");
    expect(() => readInstancesInfo("[]", "2025-05-28")).toThrow("no list of instance types");
  });
});
