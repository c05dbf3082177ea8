import { AsyncLocalStorage } from "node:async_hooks";

/** The clock that waits use. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `action` once after a delay, and returns a function that cancels it. */
  after(delayMs: number, action: () => void): () => void;
  /** Waits. Ends early, without an error, when the signal is aborted. */
  pause(durationMs: number, signal: AbortSignal): Promise<void>;
}

/** The computer's clock. */
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
      if (signal.aborted) {
        finish();
      }
    }),
};

const chosen = new AsyncLocalStorage<Clock>();

/** The current clock: the one of `withClock`, or the computer's. */
export const clock: Clock = {
  now: () => current().now(),
  after: (delayMs, action) => current().after(delayMs, action),
  pause: (durationMs, signal) => current().pause(durationMs, signal),
};

/** Runs work, and everything that it starts, with another clock. */
export function withClock<Result>(other: Clock, work: () => Result): Result {
  return chosen.run(other, work);
}

function current(): Clock {
  return chosen.getStore() ?? realClock;
}
