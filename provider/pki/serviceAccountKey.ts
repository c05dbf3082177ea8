import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { createKey, encodeKey } from "./privateKey";

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
