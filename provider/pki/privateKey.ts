import { createECDH, createPrivateKey, type KeyObject } from "node:crypto";
import { encodeBase64Pem, talosEd25519Label } from "./pem";
import { randomInteger, type RandomBytes } from "./randomBytes";

/**
 * The kinds of keys for certificates in Talos: Ed25519 for its own API, P-256 for etcd and
 * Kubernetes.
 */
export type KeyType = "ed25519" | "p256";

/** The bytes of a PKCS#8 Ed25519 key before its 32 byte seed (RFC 8410, section 7). */
const ed25519Pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The order of the P-256 base point (NIST SP 800-186, section 3.2.1.3). */
export const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A new private key, which the bytes of `randomBytes` determine. */
export function createKey(keyType: KeyType, randomBytes: RandomBytes): KeyObject {
  return keyType === "ed25519" ? createEd25519Key(randomBytes) : createP256Key(randomBytes);
}

function createEd25519Key(randomBytes: RandomBytes): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([ed25519Pkcs8Prefix, randomBytes(32)]),
    format: "der",
    type: "pkcs8",
  });
}

function createP256Key(randomBytes: RandomBytes): KeyObject {
  const scalar = randomInteger(p256Order - 1n, randomBytes) + 1n;
  const exchange = createECDH("prime256v1");
  exchange.setPrivateKey(scalar.toString(16).padStart(64, "0"), "hex");
  const point = exchange.getPublicKey();
  return createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      d: exchange.getPrivateKey().toString("base64url"),
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33, 65).toString("base64url"),
    },
  });
}

/**
 * The key as base64 of PEM, with the label and structure that Talos uses: Ed25519 as PKCS#8 with
 * the label `ED25519 PRIVATE KEY`, P-256 as SEC 1 with `EC PRIVATE KEY`, RSA as PKCS#1 with `RSA
 * PRIVATE KEY`.
 */
export function encodeKey(key: KeyObject): string {
  switch (key.asymmetricKeyType) {
    case "ed25519":
      return encodeBase64Pem(talosEd25519Label, key.export({ format: "der", type: "pkcs8" }));
    case "rsa":
      return encodeBase64Pem("RSA PRIVATE KEY", key.export({ format: "der", type: "pkcs1" }));
    default:
      return encodeBase64Pem("EC PRIVATE KEY", key.export({ format: "der", type: "sec1" }));
  }
}
