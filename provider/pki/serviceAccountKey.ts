import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { createKey, encodeKey } from "./privateKey";
import { systemRandomBytes, type RandomBytes } from "./randomBytes";
import { createSeededRsaKey } from "./seededKeys";

/**
 * The kinds of keys with which Talos signs service account tokens: RSA of 4096 bits, P-256 before
 * v1.7.
 */
export type ServiceAccountKeyType = "rsa4096" | "p256";

/**
 * A new key that signs Kubernetes service account tokens, as base64 of PEM.
 *
 * An RSA key takes about a second of one core, off the main thread. OpenSSL creates it from the
 * system's random source, unless `randomBytes` is given, which then determines it.
 */
export async function createServiceAccountKey(
  keyType: ServiceAccountKeyType,
  randomBytes?: RandomBytes,
): Promise<string> {
  if (keyType === "p256") {
    return encodeKey(createKey("p256", randomBytes ?? systemRandomBytes));
  }
  return encodeKey(await (randomBytes ? createSeededRsaKey(randomBytes) : createRsaKey()));
}

const generateKeyPairOffThread = promisify(generateKeyPair);

async function createRsaKey(): Promise<KeyObject> {
  return (await generateKeyPairOffThread("rsa", { modulusLength: 4096 })).privateKey;
}
