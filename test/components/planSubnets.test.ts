import * as fc from "fast-check";
import { overlaps, parseCidr } from "../../components/cidr";
import {
  checkNetwork,
  firstZones,
  planSubnets,
  planZones,
  type SubnetPlan,
} from "../../components/planSubnets";

const standard = {
  cidrBlock: "10.0.0.0/16",
  podCidrs: ["10.244.0.0/16"],
  serviceCidrs: ["10.96.0.0/12"],
};
const ALL_ZONES = ["a", "b", "c", "d", "e", "f", "g", "h"].map((letter) => `eu-west-1${letter}`);

const network = fc.integer({ min: 16, max: 24 }).chain((length) =>
  fc.integer({ min: 0, max: 2 ** (length - 8) - 1 }).map((index) => {
    const first = 10 * 2 ** 24 + index * 2 ** (32 - length);
    const octets = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
    return `${octets.join(".")}/${length}`;
  }),
);
const zones = fc.shuffledSubarray(ALL_ZONES, { minLength: 1, maxLength: 6 });

function planAll(cidrBlock: string, names: readonly string[]): SubnetPlan[] {
  const plan = planZones({ zones: names });
  return [...planSubnets(cidrBlock, plan, "public"), ...planSubnets(cidrBlock, plan, "private")];
}

describe("planSubnets", () => {
  it("gives every zone its slot", () => {
    expect(
      planSubnets("10.0.0.0/16", planZones({ zones: ["us-east-1a", "us-east-1c"] }), "public"),
    ).toEqual([
      { key: "us-east-1a", zone: "us-east-1a", tier: "public", cidrBlock: "10.0.0.0/20" },
      { key: "us-east-1c", zone: "us-east-1c", tier: "public", cidrBlock: "10.0.32.0/20" },
    ]);
  });

  it("keeps subnets inside the network and apart from each other", () => {
    fc.assert(
      fc.property(network, zones, (cidrBlock, names) => {
        expect(checkNetwork({ ...standard, cidrBlock: "10.0.0.0/16", zones: names })).toEqual([]);
        const parent = parseCidr(cidrBlock);
        const subnets = planAll(cidrBlock, names).map((subnet) => parseCidr(subnet.cidrBlock));
        for (const [index, subnet] of subnets.entries()) {
          expect(subnet.first >= parent.first && subnet.last <= parent.last).toBe(true);
          expect(subnets.slice(0, index).some((other) => overlaps(other, subnet))).toBe(false);
        }
      }),
    );
  });

  it("never moves a zone's subnets when others come, go or change places", () => {
    fc.assert(
      fc.property(network, zones, zones, (cidrBlock, before, after) => {
        const then = new Map(
          planAll(cidrBlock, before).map((each) => [each.tier + each.key, each]),
        );
        for (const subnet of planAll(cidrBlock, after)) {
          expect(then.get(subnet.tier + subnet.key) ?? subnet).toEqual(subnet);
        }
      }),
    );
  });

  it("never moves a counted zone's subnet when the count changes", () => {
    const three = planSubnets("10.0.0.0/16", planZones({ zoneCount: 3 }), "public");
    expect(planSubnets("10.0.0.0/16", planZones({ zoneCount: 6 }), "public").slice(0, 3)).toEqual(
      three,
    );
    expect(three.map(({ key, zone }) => [key, zone])).toEqual([
      ["1", undefined],
      ["2", undefined],
      ["3", undefined],
    ]);
  });
});

describe("checkNetwork", () => {
  const zoned = { ...standard, zones: ["us-east-1a"] };

  it.each([
    ["no zone", { zones: undefined }, "zones", /name them/],
    ["an empty list", { zones: [] }, "zones", /can't span 0 zones/],
    ["no availability zone", { zones: ["us-east-1"] }, "zones[0]", /"us-east-1"/],
    ["a local zone", { zones: ["us-east-1-bos-1a"] }, "zones[0]", /local zones/],
    ["a zone id", { zones: ["use1-az1"] }, "zones[0]", /zone ids/],
    ["two regions", { zones: ["us-east-1a", "us-west-2a"] }, "zones[1]", /another region/],
    ["a zone twice", { zones: ["us-east-1a", "us-east-1a"] }, "zones[1]", /named twice/],
    ["too many", { zones: undefined, zoneCount: 7 }, "zoneCount", /7 zones/],
    ["a fraction", { zones: undefined, zoneCount: 1.5 }, "zoneCount", /1.5 zones/],
    ["both ways", { zoneCount: 1 }, "zoneCount", /mutually exclusive/],
    ["too large", { cidrBlock: "10.0.0.0/15" }, "cidrBlock", /larger than \/16/],
    ["too small", { cidrBlock: "10.0.0.0/25" }, "cidrBlock", /smaller than \/24/],
    [
      "overlapping pods",
      { podCidrs: ["10.0.64.0/18"] },
      "podCidrs[0]",
      /"10.0.0.0\/16" of machines/,
    ],
    ["overlapping services", { serviceCidrs: ["10.0.0.0/8"] }, "serviceCidrs[0]", /overlaps/],
    ["pods on services", { podCidrs: ["10.97.0.0/16"] }, "serviceCidrs[0]", /of pods/],
  ])("refuses %s", (_what, change, property, reason) => {
    expect(checkNetwork({ ...zoned, ...change })).toEqual([
      { property, reason: expect.stringMatching(reason) as string },
    ]);
  });

  it("tells everything wrong at once", () => {
    const problems = checkNetwork({
      cidrBlock: "10.0.0.7/16",
      zones: ["here", "us-east-1a", "us-east-1a"],
      podCidrs: ["pods"],
      serviceCidrs: ["10.96.0.0/12", "10.100.0.0/16"],
    });
    expect(problems.map(({ property }) => property)).toEqual([
      "zones[0]",
      "zones[1]",
      "zones[2]",
      "cidrBlock",
      "podCidrs[0]",
      "serviceCidrs[1]",
    ]);
  });
});

describe("firstZones", () => {
  it("takes the first by name", () => {
    expect(firstZones(["eu-west-1c", "eu-west-1a", "eu-west-1b"], 2)).toEqual([
      "eu-west-1a",
      "eu-west-1b",
    ]);
  });

  it("says what the region has when that is too few", () => {
    expect(() => firstZones(["us-west-1a", "us-west-1c"], 3)).toThrow(
      /2 available zones \(us-west-1a, us-west-1c\), not 3/,
    );
  });
});
