import { randomBytes } from "node:crypto";
import { createIdentity, createToken } from "../generateSecretsBundle";
import { createServiceAccountKey } from "../privateKey";
import { joinIdentity } from "./rotatedBundle";
import type { KeyOrToken } from "./rotation";

/**
 * Creates another generation of a cluster's key or token, of the kind that the newest contract has:
 * base64 of PEM for `serviceAccountKey`, 32 bytes in base64 for `secretboxKey`, the id and the secret
 * for `discoveryIdentity` (`joinIdentity`), otherwise a token.
 * An RSA key takes about a second.
 */
export function generateKeyOrToken(secret: KeyOrToken): Promise<string> {
  switch (secret) {
    case "serviceAccountKey":
      return createServiceAccountKey("rsa4096");
    case "secretboxKey":
      return Promise.resolve(randomBytes(32).toString("base64"));
    case "discoveryIdentity":
      return Promise.resolve(joinIdentity(createIdentity()));
    default:
      return Promise.resolve(createToken());
  }
}
