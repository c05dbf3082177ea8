import { setMaxListeners } from "node:events";
import { clock } from "../base/clock";
import { engineCall } from "../base/engineCall";
import { messageOfError } from "../base/messageOfError";
import { retryDecision } from "./retryPolicy";

/** The first pause between two probes, and the first after a change. Each pause doubles the one before. */
const FIRST_PAUSE_MS = 100;

/** A probe that begins with less time left may fail only because of that, so its failure says nothing new. */
const SHORT_PROBE_MS = 1000;

/** The longest silence between two progress lines. */
const MAX_REPORT_EVERY_MS = 10_000;

/** The result of a probe: the awaited value, or the current state in a few words. */
export type ProbeResult<T> = { done: true; value: T } | { done: false; status: string };

/** Options of a wait. */
export interface WaitOptions<T> {
  /**
   * Completes "waiting for …", for example `node 10.0.0.4 to answer with the cluster's
   * certificate`.
   */
  what: string;
  /** The time limit of all probes and pauses together. */
  deadlineMs: number;
  /**
   * The longest pause between two probes. The first pauses are shorter (0.1 s, 0.2 s, 0.4 s). They
   * start again when the seen state changes in more than its numbers. Default: 1 s.
   */
  intervalMs?: number;
  /** The longest silence between two progress lines. Default and maximum: 10 s. */
  reportEveryMs?: number;
  /** Ends the wait with a `WaitCancelledError`, as a cancellation by the engine does. */
  signal?: AbortSignal;
  /**
   * Checks once. `signal` is aborted when the wait ends, and `remainingMs` is its remaining time:
   * pass both to calls. An error counts as the current state, unless it is fatal.
   */
  probe: (context: { remainingMs: number; signal: AbortSignal }) => Promise<ProbeResult<T>>;
  /** Gets a progress line at each change of the state, and at least every `reportEveryMs`. */
  report?: (line: string) => void;
  /**
   * Whether an error of a probe ends the wait at once. Default: errors that `retryDecision` does
   * not retry.
   */
  isFatal?: (error: unknown) => boolean;
}

/**
 * The wait reached its deadline. `cause` is the error of the last probe that had a second or more, or was the first, if it
 * failed.
 */
export class WaitTimeoutError extends Error {
  override readonly name = "WaitTimeoutError";

  constructor(
    readonly what: string,
    readonly lastStatus: string,
    readonly waitedMs: number,
    options?: ErrorOptions,
  ) {
    super(
      `gave up waiting for ${what} after ${wholeSeconds(waitedMs)} s; last seen: ${lastStatus}`,
      options,
    );
  }
}

/** The caller cancelled the wait. */
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
 * Probes until a result, the deadline, a cancellation or a fatal error. The wait ends on time even
 * if a probe hangs.
 */
export async function waitFor<T>(options: WaitOptions<T>): Promise<T> {
  const { what, deadlineMs, intervalMs = 1000 } = options;
  const cancellations = [options.signal, engineCall()?.cancelled].filter(isGiven);
  const isFatal = options.isFatal ?? ((error) => !retryDecision(error).retry);
  const startMs = clock.now();
  const remainingMs = () => Math.max(0, deadlineMs - (clock.now() - startMs));
  const progress = new Progress(options, startMs);
  const end = endOfWait(cancellations, deadlineMs);
  let lastError: unknown;
  let isFirst = true;
  let pauseMs = 0;
  try {
    while (!end.isReached()) {
      let hasChanged: boolean;
      const context = { remainingMs: remainingMs(), signal: end.signal };
      try {
        const result = await Promise.race([options.probe(context), end.reached]);
        if (result === ended) {
          break;
        }
        if (result.done) {
          return result.value;
        }
        lastError = undefined;
        hasChanged = progress.see(result.status);
      } catch (error) {
        // A wait within the probe may reach the same deadline first. It knows less than this one.
        const isLate = error instanceof WaitTimeoutError && remainingMs() < FIRST_PAUSE_MS;
        if (end.isReached() || isLate) {
          break;
        }
        if (isFatal(error)) {
          throw error;
        }
        const isTold = isFirst || context.remainingMs >= SHORT_PROBE_MS;
        lastError = isTold ? error : lastError;
        hasChanged = isTold && progress.see(messageOfError(error));
      }
      isFirst = false;
      pauseMs = Math.min(hasChanged ? FIRST_PAUSE_MS : 2 * pauseMs, intervalMs);
      await clock.pause(Math.min(pauseMs, remainingMs()), end.signal);
    }
  } finally {
    progress.stop();
    end.dispose();
  }
  if (cancellations.some(({ aborted }) => aborted)) {
    throw new WaitCancelledError(what, progress.lastSeen);
  }
  throw new WaitTimeoutError(
    what,
    progress.lastSeen,
    clock.now() - startMs,
    lastError === undefined ? undefined : { cause: lastError },
  );
}

function isGiven(signal: AbortSignal | undefined): signal is AbortSignal {
  return signal !== undefined;
}

const ended = Symbol("the wait is over");

/**
 * The abort reason at the end of a wait. All waits share one, because creating the default one is
 * slow.
 */
const waitIsOver = new Error("the wait is over");

/** The end of a wait, as a signal and as a promise. */
function endOfWait(cancellations: readonly AbortSignal[], deadlineMs: number) {
  const controller = new AbortController();
  const { signal } = controller;
  // Every call of a probe listens, and there are several calls for each of many machines.
  setMaxListeners(0, signal);
  const abort = () => controller.abort(waitIsOver);
  const cancelDeadline = clock.after(deadlineMs, abort);
  for (const cancellation of cancellations) {
    cancellation.addEventListener("abort", abort, { once: true });
    if (cancellation.aborted) {
      abort();
    }
  }
  const reached = new Promise<typeof ended>((resolve) => {
    if (signal.aborted) {
      resolve(ended);
    }
    signal.addEventListener("abort", () => resolve(ended), { once: true });
  });
  const dispose = () => {
    cancelDeadline();
    for (const cancellation of cancellations) {
      cancellation.removeEventListener("abort", abort);
    }
    // A probe that still runs must stop too.
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
    const { reportEveryMs = MAX_REPORT_EVERY_MS } = this.options;
    const silenceMs = Math.min(reportEveryMs, MAX_REPORT_EVERY_MS);
    this.cancelNext = clock.after(silenceMs, () => this.tell());
  }
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, "");
}

function wholeSeconds(durationMs: number): number {
  return Math.round(durationMs / 1000);
}
