import { Address4, Address6 } from "ip-address";
import { LruCache } from "../lruCache";

/** Parses an IP network in CIDR notation, or an address with its prefix length. */
export function parseNetwork(cidr: string): Address4 | Address6 {
  return cidr.includes(":") ? new Address6(cidr) : new Address4(cidr);
}

/** Whether two networks in CIDR notation have an address in common. */
export function networksOverlap(a: string, b: string): boolean {
  return overlaps.get(`${a} ${b}`, () => {
    const [left, right] = [parseNetwork(a), parseNetwork(b)];
    return (
      left instanceof Address4 === right instanceof Address4 &&
      left.startAddress().bigInt() <= right.endAddress().bigInt() &&
      right.startAddress().bigInt() <= left.endAddress().bigInt()
    );
  });
}

/** Whether a network in CIDR notation contains all addresses of another one. */
export function isWithin(part: string, whole: string): boolean {
  const [inner, outer] = [parseNetwork(part), parseNetwork(whole)];
  return (
    inner instanceof Address4 === outer instanceof Address4 &&
    outer.startAddress().bigInt() <= inner.startAddress().bigInt() &&
    inner.endAddress().bigInt() <= outer.endAddress().bigInt()
  );
}

/** The two halves of a network in CIDR notation; none of a single address. */
export function halvesOf(cidr: string): readonly string[] {
  const network = parseNetwork(cidr);
  const length = network.subnetMask + 1;
  const isIpv4 = network instanceof Address4;
  const rest = (isIpv4 ? 32 : 128) - length;
  const first = network.startAddress().bigInt();
  return rest < 0
    ? []
    : [first, first + (1n << BigInt(rest))].map(
        (start) =>
          `${(isIpv4 ? Address4.fromBigInt(start) : Address6.fromBigInt(start)).correctForm()}/${length}`,
      );
}

/** All machines of a cluster have the same networks. */
const overlaps = new LruCache<boolean>(64);
