import * as fc from "fast-check";
import {
  cidrProblem,
  ipv6Subnet,
  overlaps,
  parseCidr,
  subrange,
} from "../../../components/network/cidr";

const cidrText = fc
  .tuple(fc.integer({ min: 0, max: 0xffffffff }), fc.integer({ min: 8, max: 28 }))
  .map(([bits, length]) => {
    const first = Math.floor(bits / 2 ** (32 - length)) * 2 ** (32 - length);
    const octets = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
    return `${octets.join(".")}/${length}`;
  });

describe("cidrProblem", () => {
  it.each([
    ["banana", /"banana" is no IPv4 range/],
    ["", /no IPv4 range/],
    ["10.0.0.0/33", /"10.0.0.0\/33" is no IPv4 range/],
    ["203.0.113.7", /did you mean "203.0.113.7\/32"/],
    ["203.0.113.7/24", /did you mean "203.0.113.0\/24"/],
    ["2001:db8::/32", /IPv6/],
  ])("rejects %p and says what to write", (text, reason) => {
    expect(cidrProblem(text)).toMatch(reason);
    expect(() => parseCidr(text)).toThrow(reason);
  });

  it("accepts every range that starts at its first address", () => {
    fc.assert(
      fc.property(cidrText, (text) => {
        expect(cidrProblem(text)).toBeUndefined();
      }),
    );
  });
});

describe("ranges", () => {
  it("overlap exactly when they share an address", () => {
    expect(overlaps(parseCidr("10.96.0.0/12"), parseCidr("10.111.255.255/32"))).toBe(true);
    expect(overlaps(parseCidr("10.111.255.255/32"), parseCidr("10.96.0.0/12"))).toBe(true);
    expect(overlaps(parseCidr("10.96.0.0/12"), parseCidr("10.112.0.0/16"))).toBe(false);
  });

  it("split into equal parts that lie inside, side by side", () => {
    fc.assert(
      fc.property(cidrText, fc.integer({ min: 0, max: 15 }), (text, index) => {
        const parent = parseCidr(text);
        const part = parseCidr(subrange(parent, 4, index));
        const size = (parent.last - parent.first + 1n) / 16n;
        expect(part.first).toBe(parent.first + size * BigInt(index));
        expect(part.last - part.first + 1n).toBe(size);
      }),
    );
  });
});

describe("ipv6Subnet", () => {
  it("is one of the /64s, side by side from the first", () => {
    expect(ipv6Subnet("2001:db8:12:3400::/56", 0)).toBe("2001:db8:12:3400::/64");
    expect(ipv6Subnet("2001:db8:12:3400::/56", 15)).toBe("2001:db8:12:340f::/64");
    expect(ipv6Subnet("2001:db8:12:3400::/56", 255)).toBe("2001:db8:12:34ff::/64");
  });

  it("rejects a part beyond the range", () => {
    expect(() => ipv6Subnet("2001:db8:12:3400::/56", 256)).toThrow(/no part 256 of size/);
    expect(() => ipv6Subnet("2001:db8::/65", 0)).toThrow(/no part 0/);
  });
});
