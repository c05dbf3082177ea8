import { checkPrime, createHash, createPrivateKey, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { createKey, p256Order } from "./privateKey";
import type { RandomBytes } from "./randomBytes";

const PUBLIC_EXPONENT = 65537n;
const PRIME_BITS = 2048;

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
  const d = modularInverse(PUBLIC_EXPONENT, (p - 1n) * (q - 1n));
  const parts = {
    n: p * q,
    e: PUBLIC_EXPONENT,
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
  const drawn = BigInt(`0x${Buffer.from(randomBytes(PRIME_BITS / 8)).toString("hex")}`);
  let candidate = drawn | (3n << BigInt(PRIME_BITS - 2)) | 1n;
  while (candidate % PUBLIC_EXPONENT === 1n || !(await isPrime(candidate))) {
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

/**
 * An ECDSA signature on P-256 with SHA-256 whose secret number comes from `randomBytes` (NIST FIPS
 * 186-5, section 6.4.1), as the 32 bytes of r and the 32 of s. It is for reproducible tests,
 * because OpenSSL draws that number itself. The number is used once, and OpenSSL computes the
 * point. The time of our own arithmetic depends on the number, so do not use this for a server's
 * answers.
 */
export function signSeeded(data: Uint8Array, key: KeyObject, randomBytes: RandomBytes): Uint8Array {
  const nonce = createKey("p256", randomBytes).export({ format: "jwk" });
  const digest = toInteger(createHash("sha256").update(data).digest());
  const secret = toInteger(fromBase64Url(key.export({ format: "jwk" }).d));
  const r = toInteger(fromBase64Url(nonce.x)) % p256Order;
  const inverse = modularInverse(toInteger(fromBase64Url(nonce.d)), p256Order);
  const s = (inverse * (digest + r * secret)) % p256Order;
  return Buffer.concat([toBytes(r), toBytes(s)]);
}

function fromBase64Url(text = ""): Buffer {
  return Buffer.from(text, "base64url");
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}

/**
 * The inverse of a value modulo another, between 0 and it, by the extended Euclidean algorithm. The
 * two must have no common factor.
 */
export function modularInverse(value: bigint, modulus: bigint): bigint {
  let [remainder, nextRemainder] = [modulus, ((value % modulus) + modulus) % modulus];
  let [coefficient, nextCoefficient] = [0n, 1n];
  while (nextRemainder !== 0n) {
    const quotient = remainder / nextRemainder;
    [remainder, nextRemainder] = [nextRemainder, remainder - quotient * nextRemainder];
    [coefficient, nextCoefficient] = [nextCoefficient, coefficient - quotient * nextCoefficient];
  }
  return coefficient < 0n ? coefficient + modulus : coefficient;
}
