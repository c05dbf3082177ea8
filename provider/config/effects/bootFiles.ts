import { isDeepStrictEqual } from "node:util";
import { type ConfigDocument, textAt, type YamlValue } from "../machineConfig";
import { valueAt } from "../settings/keyPaths";

/**
 * From this minor on, no configuration makes Talos reboot: it refuses the mode `REBOOT`, and `AUTO`
 * means `NO_REBOOT`. Source: talos v1.14.1, `v1alpha1_server.go`, `ApplyConfiguration`.
 */
export const FIRST_MINOR_WITHOUT_REBOOT = 14;

/**
 * Whether a machine must boot for a change of `machine.files`. Up to v1.13, Talos reboots for each.
 * From v1.14 on, only a boot writes files. But no boot deletes one in `/var`, so nothing is missed
 * without one if such a file is no longer listed. Files elsewhere are mounts that end with a boot.
 *
 * Source: Talos v1.14.1, `v1alpha1_sequencer_tasks.go`, `WriteUserFiles`.
 *
 * @param before the outline of the running configuration
 * @param after the outline of the new configuration
 * @param talosMinor of the Talos that gets it: 12 is v1.12. Undefined counts as one before v1.14
 */
export function needsBootForFiles(
  before: ConfigDocument,
  after: ConfigDocument,
  talosMinor = 0,
): boolean {
  if (talosMinor < FIRST_MINOR_WITHOUT_REBOOT) {
    return true;
  }
  const [old, listed] = [filesOf(before), filesOf(after)];
  const stays = (file: YamlValue) => textAt(file, "path")?.startsWith("/var/") === true;
  const isListed = (file: YamlValue) => listed.some((other) => isDeepStrictEqual(other, file));
  const counted = old.filter((file) => isListed(file) || !stays(file));
  return !isDeepStrictEqual(counted, listed);
}

function filesOf(outline: ConfigDocument): readonly YamlValue[] {
  const files = valueAt(outline, ["machine", "files"]);
  return Array.isArray(files) ? files : [];
}
