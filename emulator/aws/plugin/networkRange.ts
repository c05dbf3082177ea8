import { Address4, Address6 } from "ip-address";

/** The family of a range's addresses. */
export type RangeFamily = "ipv4" | "ipv6";

/**
 * Whether a text is a range of the family, written with the range's first address. The provider's
 * validators refuse all else. Source: terraform-provider-aws 6.58, `framework/validators/cidr.go`.
 */
export function isNetworkRange(family: RangeFamily, text: string): boolean {
  const Address = family === "ipv4" ? Address4 : Address6;
  if (!text.includes("/") || !Address.isValid(text)) {
    return false;
  }
  const address = new Address(text);
  return address.startAddress().bigInt() === address.bigInt();
}

/** The number after the slash of a range; NaN where there is none. */
export function prefixLength(range: string): number {
  return Number(/\/(\d+)$/.exec(range)?.[1]);
}
