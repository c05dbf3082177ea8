import * as fc from "fast-check";
import { checkNetwork } from "../../../components/network/checkNetwork";
import { ipv6Subnet, overlaps, parseCidr } from "../../../components/network/cidr";
import {
  firstZones,
  planSubnets,
  planZones,
  type SubnetPlan,
} from "../../../components/network/planSubnets";

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

/** A second range, apart from each first one. */
const secondRange = fc
  .tuple(fc.integer({ min: 16, max: 24 }), fc.nat(63))
  .map(([length, index]) => `100.${64 + index}.0.0/${length}`);

function planAll(cidrBlock: string, names: readonly string[], second?: string): SubnetPlan[] {
  const plan = planZones({ zones: names });
  return [
    ...planSubnets(cidrBlock, plan, "public"),
    ...planSubnets(cidrBlock, plan, "private"),
    ...(second === undefined ? [] : planSubnets(second, plan, "worker")),
  ];
}

describe("planSubnets", () => {
  it("gives every zone its slot", () => {
    expect(
      planSubnets("10.0.0.0/16", planZones({ zones: ["us-east-1a", "us-east-1c"] }), "public"),
    ).toEqual([
      { key: "us-east-1a", zone: "us-east-1a", tier: "public", slot: 0, cidrBlock: "10.0.0.0/20" },
      { key: "us-east-1c", zone: "us-east-1c", tier: "public", slot: 2, cidrBlock: "10.0.32.0/20" },
    ]);
  });

  it("keeps subnets inside the network and apart from each other", () => {
    fc.assert(
      fc.property(network, zones, (cidrBlock, names) => {
        expect(checkNetwork({ ...standard, zones: names })).toEqual([]);
        const parent = parseCidr(cidrBlock);
        const subnets = planAll(cidrBlock, names).map((subnet) => parseCidr(subnet.cidrBlock));
        for (const [index, subnet] of subnets.entries()) {
          expect(subnet.first >= parent.first && subnet.last <= parent.last).toBe(true);
          expect(subnets.slice(0, index).some((other) => overlaps(other, subnet))).toBe(false);
        }
        const ipv6 = planAll(cidrBlock, names).map(({ slot }) =>
          ipv6Subnet("2001:db8:1200::/56", slot),
        );
        expect(new Set(ipv6).size).toBe(ipv6.length);
      }),
    );
  });

  it("never moves a zone's subnets when others are added, removed or reordered", () => {
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

  it("keeps worker subnets inside the second range, apart from each other and in any zone", () => {
    fc.assert(
      fc.property(network, secondRange, zones, (cidrBlock, workerCidrBlock, names) => {
        expect(checkNetwork({ ...standard, workerCidrBlock, zones: names })).toEqual([]);
        const parent = parseCidr(workerCidrBlock);
        const plans = planAll(cidrBlock, names, workerCidrBlock);
        const workers = plans.filter(({ tier }) => tier === "worker");
        expect(workers.map(({ key }) => key)).toEqual(names);
        for (const [index, { cidrBlock: text }] of workers.entries()) {
          const subnet = parseCidr(text);
          expect(subnet.first >= parent.first && subnet.last <= parent.last).toBe(true);
          const before = workers.slice(0, index).map((each) => parseCidr(each.cidrBlock));
          expect(before.some((other) => overlaps(other, subnet))).toBe(false);
        }
        const ipv6 = plans.map(({ slot }) => ipv6Subnet("2001:db8:1200::/56", slot));
        expect(new Set(ipv6).size).toBe(ipv6.length);
      }),
    );
  });

  it("never moves a subnet when a second range comes, goes, or gets other zones", () => {
    fc.assert(
      fc.property(network, secondRange, zones, zones, (cidrBlock, second, before, after) => {
        const then = new Map(
          planAll(cidrBlock, before).map((each) => [each.tier + each.key, each]),
        );
        const first = planAll(cidrBlock, before, second);
        for (const subnet of [...first, ...planAll(cidrBlock, after, second)]) {
          expect(then.get(subnet.tier + subnet.key) ?? subnet).toEqual(subnet);
          then.set(subnet.tier + subnet.key, subnet);
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

describe("firstZones", () => {
  it("returns the first by name", () => {
    expect(firstZones(["eu-west-1c", "eu-west-1a", "eu-west-1b"], 2)).toEqual([
      "eu-west-1a",
      "eu-west-1b",
    ]);
  });

  it("names the region's zones if they are too few", () => {
    expect(() => firstZones(["us-west-1a", "us-west-1c"], 3)).toThrow(
      /2 available zones \(us-west-1a, us-west-1c\), not 3/,
    );
  });
});
