import { TalosApiError } from "./api/talosApiError";
import { WaitTimeoutError } from "./api/waitFor";
import { isSilence } from "./lifecycle/isSilence";

/** As `TalosApiError` says it of a machine that nobody reaches. */
const UNREACHED = /Talos node "[^"]*"(?: \(through [^)]*\))? (?:cannot be reached|did not answer)/;

const WAY_OUT =
  'If that machine is gone for good, run the command again with --refresh: Pulumi asks the cloud only then, and "up --refresh" makes another machine in its place. One that is merely stopped has to be started';

/**
 * What to do about an update that has waited for a machine in vain. Without a refresh Pulumi takes each machine
 * for there, and the error alone doesn't tell one that is gone from one that is slow.
 *
 * @returns undefined where the update failed for another reason
 */
export function wayOutOfSilence(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof WaitTimeoutError) {
      return isSilence(each.cause) || UNREACHED.test(each.lastSeen) ? WAY_OUT : undefined;
    }
    if (each instanceof TalosApiError && each.code === "unreachable") {
      return WAY_OUT;
    }
  }
  return undefined;
}
