import { AsyncLocalStorage } from "node:async_hooks";

/** What waits take their time from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `action` once, unless it is cancelled first. Gives the cancellation. */
  after(delayMs: number, action: () => void): () => void;
  /** Lets time pass; ends early, without an error, when the signal is aborted. */
  pause(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** The computer's own time. */
export const realClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
  pause: (durationMs, signal) =>
    new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(finish, durationMs);
      signal.addEventListener("abort", finish);
      if (signal.aborted) finish();
    }),
};

const chosen = new AsyncLocalStorage<Clock>();

/** The clock of whatever runs: the one that `withClock` gave it, or the computer's own. */
export const clock: Clock = {
  now: () => current().now(),
  after: (delayMs, action) => current().after(delayMs, action),
  pause: (durationMs, signal) => current().pause(durationMs, signal),
};

/** Runs work, and all that it starts, by another clock than the computer's. */
export function withClock<Result>(other: Clock, work: () => Result): Result {
  return chosen.run(other, work);
}

function current(): Clock {
  return chosen.getStore() ?? realClock;
}
