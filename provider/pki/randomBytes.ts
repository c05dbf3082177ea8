import { randomBytes } from "node:crypto";

/** A source of random bytes: `size` new ones at each call. */
export type RandomBytes = (size: number) => Uint8Array;

/** The operating system's random source, the default for every key; only tests inject another. */
export const systemRandomBytes: RandomBytes = (size) => randomBytes(size);

/**
 * A random integer from 0 up to but not including `bound`.
 *
 * It draws 64 bits more than `bound` has and reduces them. So the bias towards small values is
 * below 2^-64, and one draw is always enough (NIST FIPS 186-5, appendix A.4.1).
 */
export function randomInteger(bound: bigint, randomBytes: RandomBytes): bigint {
  const boundBytes = Math.ceil(bound.toString(16).length / 2);
  const drawn = randomBytes(boundBytes + 8);
  return BigInt(`0x${Buffer.from(drawn).toString("hex")}`) % bound;
}
