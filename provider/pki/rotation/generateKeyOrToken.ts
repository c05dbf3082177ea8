import { createToken } from "../generateSecretsBundle";
import { type RandomBytes, systemRandomBytes } from "../randomBytes";
import { createServiceAccountKey } from "../serviceAccountKey";
import type { KeyOrToken } from "./rotation";

/**
 * Creates another generation of a cluster's key or token, of the kind that the newest contract has:
 * base64 of PEM for `serviceAccountKey`, 32 bytes in base64 for `secretboxKey`, otherwise a token.
 * An RSA key takes about a second.
 *
 * @param randomBytes determines it. Default: the system's random source
 */
export function generateKeyOrToken(secret: KeyOrToken, randomBytes?: RandomBytes): Promise<string> {
  const bytes = randomBytes ?? systemRandomBytes;
  switch (secret) {
    case "serviceAccountKey":
      return createServiceAccountKey("rsa4096", randomBytes);
    case "secretboxKey":
      return Promise.resolve(Buffer.from(bytes(32)).toString("base64"));
    default:
      return Promise.resolve(createToken(bytes));
  }
}
