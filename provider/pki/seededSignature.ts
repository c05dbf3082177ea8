import { createHash, type KeyObject } from "node:crypto";
import { modularInverse } from "./modularInverse";
import { createKey, p256Order } from "./privateKey";
import type { RandomBytes } from "./randomBytes";

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
