import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { fromBase64, readPrivateKey } from "./pem";
import type { SecretsBundle } from "./secretsBundle";

/** A public key that verifies tokens (RFC 7517), as the Kubernetes API server publishes it. */
export interface JsonWebKey {
  /** It verifies signatures. */
  readonly use: "sig";
  /** The kind of key. */
  readonly kty: "RSA" | "EC";
  /** The id of the key in the header of a token. */
  readonly kid: string;
  /** The algorithm of the signatures. */
  readonly alg: "RS256" | "ES256";
  /** Modulus of an RSA key. */
  readonly n?: string;
  /** Exponent of an RSA key. */
  readonly e?: string;
  /** Curve of an EC key. */
  readonly crv?: string;
  /** Coordinate of an EC key. */
  readonly x?: string;
  /** Coordinate of an EC key. */
  readonly y?: string;
}

/** Public keys that verify tokens. */
export interface JsonWebKeySet {
  /** The keys. */
  readonly keys: readonly JsonWebKey[];
}

/** A public key that can't be published. */
export class PublicKeyError extends Error {
  override readonly name = "PublicKeyError";
}

/**
 * The public keys of a cluster's service account tokens: the one of its secrets, and more that sign
 * tokens before or after a replacement.
 *
 * The API server identifies a key by the SHA-256 of its DER encoding, in URL-safe base64
 * (kubernetes v1.35, pkg/serviceaccount/jwt.go, keyIDFromPublicKey).
 *
 * @param more public keys, PEM
 * @throws PublicKeyError for one that is neither RSA nor ECDSA on P-256
 */
export function serviceAccountKeySet(
  { certs }: Pick<SecretsBundle, "certs">,
  more: readonly string[] = [],
): JsonWebKeySet {
  const { key } = certs.k8sserviceaccount;
  const text = fromBase64(key);
  // A state without secrets has only the public half.
  const own = text.includes("PUBLIC KEY-----")
    ? readPublicKey(text)
    : createPublicKey(readPrivateKey(key));
  const keys = [own, ...more.map(readPublicKey)].map(toJsonWebKey);
  return {
    keys: keys.filter(({ kid }, index) => keys.findIndex((each) => each.kid === kid) === index),
  };
}

/**
 * Reads a public key to publish.
 *
 * @throws PublicKeyError that doesn't quote it, because it may be a private key
 */
export function readPublicKey(pem: string): KeyObject {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) {
    throw new PublicKeyError("no public key: give PEM that begins with -----BEGIN PUBLIC KEY-----");
  }
  try {
    const key = createPublicKey(pem);
    toJsonWebKey(key);
    return key;
  } catch (cause) {
    if (cause instanceof PublicKeyError) {
      throw cause;
    }
    throw new PublicKeyError("the PEM holds no public key that can be read", { cause });
  }
}

function toJsonWebKey(key: KeyObject): JsonWebKey {
  const der = key.export({ format: "der", type: "spki" });
  const kid = createHash("sha256").update(der).digest("base64url");
  const { kty, n, e, crv, x, y } = key.export({ format: "jwk" });
  if (kty === "RSA" && n !== undefined && e !== undefined) {
    return { use: "sig", kty, kid, alg: "RS256", n, e };
  }
  if (kty === "EC" && crv === "P-256" && x !== undefined && y !== undefined) {
    return { use: "sig", kty, kid, alg: "ES256", crv, x, y };
  }
  throw new PublicKeyError(
    `a key of type "${crv ?? kty ?? "unknown"}" can't sign service account tokens here: use RSA or P-256`,
  );
}
