import { decodeSecrets } from "./decodeSecrets";
import { readSecretsBundle } from "./readSecretsBundle";
import type { SecretsBundle } from "./secretsBundle";
import {
  holdsMachineConfig,
  secretsBundleFromMachineConfig,
} from "./secretsBundleFromMachineConfig";

/**
 * The secrets of a cluster that exists, from either text that holds them all: a file that `talosctl
 * gen secrets` wrote, or a control plane machine's configuration.
 *
 * @param now when certificates must not have ended yet. Default: the clock
 * @throws SecretsBundleError with everything that is wrong
 */
export function importSecrets(text: string, now = new Date()): SecretsBundle {
  return holdsMachineConfig(decodeSecrets(text))
    ? secretsBundleFromMachineConfig(text, now)
    : readSecretsBundle(text, now);
}
