import { generateSecretsBundle } from "../../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";

let shared: Promise<SecretsBundle> | undefined;

/** One cluster's secrets, for all tests that take any: their RSA key costs seconds of a processor. */
export function sharedSecrets(): Promise<SecretsBundle> {
  shared ??= generateSecretsBundle();
  return shared;
}
