import { TalosApiError } from "../api/talosApiError";
import { WaitTimeoutError } from "../api/waitFor";
import { clock } from "../base/clock";
import type { Progress } from "../base/progress";
import { isSilence } from "../lifecycle/silence";

/** The text of a `TalosApiError` about an unreachable machine. */
const UNREACHED = /Talos node "[^"]*"(?: \(through [^)]*\))? (?:cannot be reached|did not answer)/;

const WAY_OUT =
  'If that machine is gone for good, run the command again with --refresh: Pulumi asks the cloud only then, and "up --refresh" makes another machine in its place. One that is merely stopped has to be started';

/** The text of a gate about a member of etcd that another machine reaches no more. */
const UNREACHED_MEMBER = /the etcd member \S+ doesn't answer/;

/** The machines that come before the lost one wait for it. So it must be replaced in a run of its own. */
const WAY_OUT_OF_GATE =
  'If the machine of that member is gone for good, replace it first: set this change back, run "pulumi up --refresh", then make the change again. One that is merely stopped has to be started';

/** The usual time of a restart is a few minutes. */
const LONG_MS = 180_000;

/**
 * A progress that also warns once about a machine that has been silent for three minutes, because
 * the wait may continue for another quarter of an hour.
 */
export function warningOfSilence(progress: Progress): Progress {
  let silentSince: number | undefined;
  let hasWarned = false;
  const report = (line: string) => {
    progress.report(line);
    const wayOut = wayOutOf(line);
    silentSince = wayOut === undefined ? undefined : (silentSince ?? clock.now());
    if (!hasWarned && silentSince !== undefined && clock.now() - silentSince >= LONG_MS) {
      hasWarned = true;
      progress.warn(`${line}. ${wayOut}`);
    }
  };
  return { report, warn: progress.warn };
}

/**
 * Advice for an update that has waited for an unreachable machine. Without a refresh, Pulumi
 * assumes that each machine exists, and the error doesn't show whether it does.
 *
 * @returns undefined if the update failed for another reason
 */
export function wayOutOfSilence(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof WaitTimeoutError) {
      return isSilence(each.cause) ? WAY_OUT : wayOutOf(each.lastStatus);
    }
    if (each instanceof TalosApiError && each.code === "unreachable") {
      return WAY_OUT;
    }
  }
  return undefined;
}

/** @param seen the state of a machine, as a wait reports it */
function wayOutOf(seen: string): string | undefined {
  if (UNREACHED.test(seen)) {
    return WAY_OUT;
  }
  return UNREACHED_MEMBER.test(seen) ? WAY_OUT_OF_GATE : undefined;
}
