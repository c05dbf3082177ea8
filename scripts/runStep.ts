/** How a long step reports. */
export interface StepLog {
  /** Prints a line at once. */
  readonly say: (line: string) => void;
  /** Tells how far the step is, such as `compiling package 3 of 7`; printed now and then. */
  readonly at: (state: string) => void;
}

/** How often the state of a step is printed in its first minute. */
const EVERY_MS = 10_000;

/** How often it is printed later: a step of ten minutes would fill a screen otherwise. */
const LATER_EVERY_MS = 30_000;

const MINUTE_MS = 60_000;

/** The shortest step whose end is printed. */
const NOTABLE_MS = 5_000;

/**
 * Runs a step that may take minutes. While it runs, prints how far it is and for how long it has run;
 * at its end how long it took. Each line begins with the step's name, as steps run side by side.
 */
export async function runStep<Result>(
  name: string,
  say: (line: string) => void,
  work: (log: StepLog) => Promise<Result>,
): Promise<Result> {
  const startedMs = Date.now();
  const duration = () => describeDuration(Date.now() - startedMs);
  let state = "";
  let ranMs = 0;
  const timer = setInterval(() => {
    ranMs += EVERY_MS;
    if (state !== "" && (ranMs <= MINUTE_MS || ranMs % LATER_EVERY_MS === 0)) {
      say(`${name}: ${state} (${duration()})`);
    }
  }, EVERY_MS);
  try {
    const result = await work({
      say: (line) => say(`${name}: ${line}`),
      at: (next) => (state = next),
    });
    if (Date.now() - startedMs > NOTABLE_MS) {
      say(`${name}: ready after ${duration()}`);
    }
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** A time for people: `7 s`, `3 min 12 s`. */
export function describeDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}
