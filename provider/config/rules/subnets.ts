import { isAddress, isCidr } from "../schema/formats";

/** Whether a text is a network or an address, optionally excluded with a `!`. */
export function isSubnet(text: string): boolean {
  const plain = text.replace(/^!/, "");
  return isCidr(plain) || isAddress(plain);
}

/** What is wrong with a text that is none. */
export const NO_SUBNET = "is not a network or address, like 10.0.0.0/8 or !10.0.0.1";
