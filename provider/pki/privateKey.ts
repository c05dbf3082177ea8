import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  generateKeyPair,
} from "node:crypto";
import { promisify } from "node:util";
import { encodeBase64Pem, talosEd25519Label } from "./pem";

/**
 * The kinds of keys for certificates in Talos: Ed25519 for its own API, P-256 for etcd and
 * Kubernetes.
 */
export type KeyType = "ed25519" | "p256";

/** A new private key. */
export function createKey(keyType: KeyType): KeyObject {
  return keyType === "ed25519"
    ? generateKeyPairSync("ed25519").privateKey
    : generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey;
}

/** The bytes of a PKCS#8 Ed25519 key before its 32 byte seed (RFC 8410, section 7). */
const ed25519Pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The Ed25519 key of a seed of 32 secret bytes. */
export function ed25519KeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([ed25519Pkcs8Prefix, seed]),
    format: "der",
    type: "pkcs8",
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

/**
 * The kinds of keys with which Talos signs service account tokens: RSA of 4096 bits, P-256 before
 * v1.7.
 */
export type ServiceAccountKeyType = "rsa4096" | "p256";

const generateKeyPairOffThread = promisify(generateKeyPair);

/**
 * A new key that signs Kubernetes service account tokens, as base64 of PEM. An RSA key takes about
 * a second of one core, off the main thread.
 */
export async function createServiceAccountKey(keyType: ServiceAccountKeyType): Promise<string> {
  return encodeKey(
    keyType === "p256"
      ? createKey("p256")
      : (await generateKeyPairOffThread("rsa", { modulusLength: 4096 })).privateKey,
  );
}
