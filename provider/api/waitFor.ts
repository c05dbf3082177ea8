import { setMaxListeners } from "node:events";
import { clock } from "../clock";
import { retryDecision } from "./retryPolicy";

/** The first pause between two probes, and the first after a change. Each pause doubles the one before. */
const firstPauseMs = 100;

/** The longest silence between two progress lines. */
const maxReportEveryMs = 10_000;

/** What a probe found: what was waited for, or a few words on how things stand. */
export type ProbeResult<T> = { done: true; value: T } | { done: false; seen: string };

/** What to wait for, and how. */
export interface WaitOptions<T> {
  /** Completes "waiting for …", such as `node 10.0.0.4 to answer with the cluster's certificate`. */
  what: string;
  /** All the time there is, for every probe and pause together. */
  deadlineMs: number;
  /**
   * Longest pause between two probes. The first pauses are shorter (0.1 s, 0.2 s, 0.4 s), also after a
   * change of what was seen, numbers apart. Default: 1 s.
   */
  intervalMs?: number;
  /** Longest silence between two progress lines. Default, and at most: 10 s. */
  reportEveryMs?: number;
  /** Ends the wait with a `WaitCancelledError`. */
  signal?: AbortSignal;
  /**
   * Looks once. `signal` is aborted when the wait ends, `remainingMs` is what is left of it: give
   * both to the calls it makes. What it throws counts as seen, unless it is fatal.
   */
  probe: (context: { remainingMs: number; signal: AbortSignal }) => Promise<ProbeResult<T>>;
  /** Gets a progress line at once when what was seen changes, and at least every `reportEveryMs`. */
  report?: (line: string) => void;
  /** Whether an error of a probe ends the wait at once. Default: what `retryDecision` would not retry. */
  isFatal?: (error: unknown) => boolean;
}

/** What was waited for did not come about in time. `cause` is the last error of a probe, if the last one failed. */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";

  constructor(
    readonly what: string,
    readonly lastSeen: string,
    readonly waitedMs: number,
    options?: ErrorOptions,
  ) {
    super(
      `gave up waiting for ${what} after ${wholeSeconds(waitedMs)} s; last seen: ${lastSeen}`,
      options,
    );
  }
}

/** The wait was given up by its caller. */
export class WaitCancelledError extends Error {
  override readonly name = "WaitCancelledError";

  constructor(
    readonly what: string,
    readonly lastSeen: string,
  ) {
    super(`waiting for ${what} was cancelled; last seen: ${lastSeen}`);
  }
}

/**
 * Probes until what is waited for is there, one deadline passes, the caller cancels, or an error is
 * fatal. The wait ends on time even if a probe never does.
 */
export async function waitFor<T>(options: WaitOptions<T>): Promise<T> {
  const { what, deadlineMs, intervalMs = 1000, signal } = options;
  const isFatal = options.isFatal ?? ((error) => !retryDecision(error).retry);
  const startMs = clock.now();
  const remainingMs = () => Math.max(0, deadlineMs - (clock.now() - startMs));
  const progress = new Progress(options, startMs);
  const end = endOfWait(signal, deadlineMs);
  let lastError: unknown;
  let pauseMs = 0;
  try {
    while (!end.isReached()) {
      let hasChanged: boolean;
      try {
        const context = { remainingMs: remainingMs(), signal: end.signal };
        const result = await Promise.race([options.probe(context), end.reached]);
        if (result === ended) break;
        if (result.done) return result.value;
        lastError = undefined;
        hasChanged = progress.see(result.seen);
      } catch (error) {
        if (end.isReached()) break;
        if (isFatal(error)) throw error;
        lastError = error;
        hasChanged = progress.see(error instanceof Error ? error.message : String(error));
      }
      pauseMs = Math.min(hasChanged ? firstPauseMs : 2 * pauseMs, intervalMs);
      await clock.pause(Math.min(pauseMs, remainingMs()), end.signal);
    }
  } finally {
    progress.stop();
    end.dispose();
  }
  if (signal?.aborted) throw new WaitCancelledError(what, progress.lastSeen);
  throw new WaitTimeoutError(
    what,
    progress.lastSeen,
    clock.now() - startMs,
    lastError === undefined ? undefined : { cause: lastError },
  );
}

const ended = Symbol("the wait is over");

/** Why what belongs to a wait stops with it. One for all: making the default one takes longer than all else of an abort. */
const waitIsOver = new Error("the wait is over");

/** The moment a wait is over for whatever reason, as a signal and as a promise. */
function endOfWait(outer: AbortSignal | undefined, deadlineMs: number) {
  const controller = new AbortController();
  const { signal } = controller;
  // Every call of a probe listens, of which there are several for each of many machines.
  setMaxListeners(0, signal);
  const abort = () => controller.abort(waitIsOver);
  const cancelDeadline = clock.after(deadlineMs, abort);
  outer?.addEventListener("abort", abort, { once: true });
  if (outer?.aborted) abort();
  const reached = new Promise<typeof ended>((resolve) => {
    if (signal.aborted) resolve(ended);
    signal.addEventListener("abort", () => resolve(ended), { once: true });
  });
  const dispose = () => {
    cancelDeadline();
    outer?.removeEventListener("abort", abort);
    // A probe that is still running when an error or a result ended the wait has to stop too.
    abort();
  };
  return { signal, reached, isReached: () => signal.aborted, dispose };
}

class Progress {
  lastSeen = "no answer yet";
  private cancelNext: (() => void) | undefined;

  constructor(
    private readonly options: WaitOptions<unknown>,
    private readonly startMs: number,
  ) {
    this.schedule();
  }

  /** Whether it is something else than before; other numbers alone aren't. */
  see(seen: string): boolean {
    const hasChanged = withoutNumbers(seen) !== withoutNumbers(this.lastSeen);
    if (seen !== this.lastSeen) {
      this.lastSeen = seen;
      this.tell();
    }
    return hasChanged;
  }

  stop(): void {
    this.cancelNext?.();
  }

  private tell(): void {
    const { what, deadlineMs, report } = this.options;
    const elapsed = wholeSeconds(clock.now() - this.startMs);
    this.schedule();
    report?.(
      `waiting for ${what}: ${this.lastSeen} (${elapsed} s of ${wholeSeconds(deadlineMs)} s)`,
    );
  }

  private schedule(): void {
    this.cancelNext?.();
    const { reportEveryMs = maxReportEveryMs } = this.options;
    const silenceMs = Math.min(reportEveryMs, maxReportEveryMs);
    this.cancelNext = clock.after(silenceMs, () => this.tell());
  }
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, "");
}

function wholeSeconds(durationMs: number): number {
  return Math.round(durationMs / 1000);
}
