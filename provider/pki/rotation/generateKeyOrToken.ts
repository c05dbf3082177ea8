import { randomBytes } from "node:crypto";
import { createToken } from "../generateSecretsBundle";
import { createServiceAccountKey } from "../privateKey";
import type { KeyOrToken } from "./rotation";

/**
 * Creates another generation of a cluster's key or token, of the kind that the newest contract has:
 * base64 of PEM for `serviceAccountKey`, 32 bytes in base64 for `secretboxKey`, otherwise a token.
 * An RSA key takes about a second.
 */
export function generateKeyOrToken(secret: KeyOrToken): Promise<string> {
  switch (secret) {
    case "serviceAccountKey":
      return createServiceAccountKey("rsa4096");
    case "secretboxKey":
      return Promise.resolve(randomBytes(32).toString("base64"));
    default:
      return Promise.resolve(createToken());
  }
}
