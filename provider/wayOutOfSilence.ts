import { TalosApiError } from "./api/talosApiError";
import { WaitTimeoutError } from "./api/waitFor";
import { clock } from "./clock";
import { isSilence } from "./lifecycle/isSilence";
import type { Progress } from "./progress";

/** As `TalosApiError` says it of a machine that nobody reaches. */
const UNREACHED = /Talos node "[^"]*"(?: \(through [^)]*\))? (?:cannot be reached|did not answer)/;

const WAY_OUT =
  'If that machine is gone for good, run the command again with --refresh: Pulumi asks the cloud only then, and "up --refresh" makes another machine in its place. One that is merely stopped has to be started';

/** A machine that restarts is silent for a few minutes. */
const LONG_MS = 180_000;

/**
 * The same progress, which warns once of a machine that has been silent for three minutes: the wait may go on for
 * another quarter of an hour.
 */
export function warningOfSilence(progress: Progress): Progress {
  let silentSince: number | undefined;
  let hasWarned = false;
  const report = (line: string) => {
    progress.report(line);
    silentSince = UNREACHED.test(line) ? (silentSince ?? clock.now()) : undefined;
    if (!hasWarned && silentSince !== undefined && clock.now() - silentSince >= LONG_MS) {
      hasWarned = true;
      progress.warn(`${line}. ${WAY_OUT}`);
    }
  };
  return { report, warn: progress.warn };
}

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
