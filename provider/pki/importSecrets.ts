import { readSecretsBundle } from "./readSecretsBundle";
import type { SecretsBundle } from "./secretsBundle";
import {
  holdsMachineConfig,
  secretsBundleFromMachineConfig,
} from "./secretsBundleFromMachineConfig";
import { decodeSecrets } from "./secretsReader";

/**
 * The secrets of an existing cluster, from a file of `talosctl gen secrets` or from a control plane
 * machine's configuration.
 *
 * @param now when certificates must still be valid. Default: now
 * @throws SecretsBundleError with all problems
 */
export function importSecrets(text: string, now = new Date()): SecretsBundle {
  return holdsMachineConfig(decodeSecrets(text))
    ? secretsBundleFromMachineConfig(text, now)
    : readSecretsBundle(text, now);
}
