import { checkPrime, createPrivateKey, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { modularInverse } from "./modularInverse";
import type { RandomBytes } from "./randomBytes";

const publicExponent = 65537n;
const primeBits = 2048;

const isPrime = promisify<bigint, boolean>(checkPrime);

/**
 * An RSA key of 4096 bits that the bytes of `randomBytes` determine, for reproducible tests,
 * because OpenSSL's own search accepts no source. Each prime is the first one from a random odd
 * number on, with its two highest bits set, so the product has all its bits (NIST FIPS 186-5,
 * appendix A.1.3). OpenSSL tests the primes, off the main thread. It takes about two seconds.
 */
export async function createSeededRsaKey(randomBytes: RandomBytes): Promise<KeyObject> {
  const p = await findPrime(randomBytes);
  const q = await findPrime(randomBytes);
  const d = modularInverse(publicExponent, (p - 1n) * (q - 1n));
  const parts = {
    n: p * q,
    e: publicExponent,
    d,
    p,
    q,
    dp: d % (p - 1n),
    dq: d % (q - 1n),
    qi: modularInverse(q, p),
  };
  const encoded = Object.entries(parts).map(([name, value]) => [name, encode(value)] as const);
  return createPrivateKey({ format: "jwk", key: { kty: "RSA", ...Object.fromEntries(encoded) } });
}

async function findPrime(randomBytes: RandomBytes): Promise<bigint> {
  const drawn = BigInt(`0x${Buffer.from(randomBytes(primeBits / 8)).toString("hex")}`);
  let candidate = drawn | (3n << BigInt(primeBits - 2)) | 1n;
  while (candidate % publicExponent === 1n || !(await isPrime(candidate))) {
    candidate += 2n;
  }
  return candidate;
}

/**
 * An integer in the form of JSON Web Keys: big-endian bytes in URL-safe base64 (RFC 7518, section
 * 2).
 */
function encode(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex").toString("base64url");
}
