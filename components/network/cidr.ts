import { Address4, Address6 } from "ip-address";

/** A range of IPv4 addresses. */
export interface Cidr {
  /** As written, for example `10.0.0.0/16`. */
  readonly text: string;
  readonly prefixLength: number;
  /** The first address, as a number. */
  readonly first: bigint;
  /** The last address, as a number. */
  readonly last: bigint;
}

/**
 * What is wrong with a text as an IPv4 range: no range, a bare address, bits set beyond the
 * prefix.
 *
 * @returns the reason, or undefined when the text is fine
 */
export function cidrProblem(text: string): string | undefined {
  if (text.includes(":")) {
    return `"${text}" is an IPv6 range: only IPv4 ranges such as "203.0.113.0/24" are supported`;
  }
  if (!Address4.isValid(text)) {
    return `"${text}" is no IPv4 range: write it as "203.0.113.0/24", one address as "203.0.113.7/32"`;
  }
  const address = new Address4(text);
  if (!text.includes("/")) {
    return `"${text}" has no prefix length: did you mean "${text}/32"?`;
  }
  const canonical = address.networkForm();
  if (canonical !== text) {
    return `"${text}" is not the first address of its range: did you mean "${canonical}"?`;
  }
  return undefined;
}

/**
 * What is wrong with a text as an IPv6 range; undefined when the text is fine.
 */
export function ipv6CidrProblem(text: string): string | undefined {
  if (!Address6.isValid(text)) {
    return `"${text}" is no IPv6 range: write it as "2001:db8:1200::/48", one address as "2001:db8::7/128"`;
  }
  if (!text.includes("/")) {
    return `"${text}" has no prefix length: did you mean "${text}/128"?`;
  }
  const address = new Address6(text);
  const canonical = `${address.startAddress().correctForm()}/${address.subnetMask}`;
  return canonical === text
    ? undefined
    : `"${text}" is not the short form of its range's first address: did you mean "${canonical}"?`;
}

/** Whether a range is written as one of IPv6. */
export function isIpv6(text: string): boolean {
  return text.includes(":");
}

/**
 * Reads an IPv4 range.
 *
 * @throws Error with the reason of `cidrProblem`
 */
export function parseCidr(text: string): Cidr {
  const reason = cidrProblem(text);
  if (reason !== undefined) {
    throw new Error(reason);
  }
  const address = new Address4(text);
  return {
    text,
    prefixLength: address.subnetMask,
    first: address.startAddress().bigInt(),
    last: address.endAddress().bigInt(),
  };
}

/** Whether two ranges have an address in common. */
export function overlaps(one: Cidr, other: Cidr): boolean {
  return one.first <= other.last && other.first <= one.last;
}

/** The `index`th of the 2^`bits` equal ranges that `parent` splits into. */
export function subrange(parent: Cidr, bits: number, index: number): string {
  const prefixLength = parent.prefixLength + bits;
  const size = 1n << BigInt(32 - prefixLength);
  const first = Address4.fromBigInt(parent.first + size * BigInt(index));
  return `${first.correctForm()}/${prefixLength}`;
}

/**
 * The `index`th /64 of an IPv6 range, the one size that AWS gives subnets.
 *
 * @param parent for example `2001:db8:1200::/56`, the size that AWS gives networks
 * @throws Error when the range has no such part
 */
export function ipv6Subnet(parent: string, index: number): string {
  const range = new Address6(parent);
  const count = 1n << BigInt(Math.max(0, 64 - range.subnetMask));
  if (range.subnetMask > 64 || BigInt(index) >= count) {
    throw new Error(`"${parent}" has no part ${index} of size /64`);
  }
  const first = range.startAddress().bigInt() + (BigInt(index) << 64n);
  return `${Address6.fromBigInt(first).correctForm()}/64`;
}
