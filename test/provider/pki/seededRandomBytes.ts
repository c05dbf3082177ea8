import { createHash } from "node:crypto";
import type { RandomBytes } from "../../../provider/pki/randomBytes";

/** A source of bytes that look random and are the same for the same seed: SHA-256 of seed and count. */
export function seededRandomBytes(seed: string): RandomBytes {
  let count = 0;
  const block = () => createHash("sha256").update(`${seed} ${count++}`).digest();
  return (size) =>
    Buffer.concat(Array.from({ length: Math.ceil(size / 32) }, block)).subarray(0, size);
}
