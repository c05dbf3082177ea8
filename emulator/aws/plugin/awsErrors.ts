import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 100;
const LONGEST_POLL_MS = 2_000;

/** AWS' code of an error, such as `InvalidVpcID.NotFound`. Undefined for other errors. */
export function awsErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "$metadata" in error ? error.name : undefined;
}

/** The result of the action, or undefined when AWS answers with one of the codes. */
export async function unlessMissing<T>(
  codes: readonly string[],
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (codes.includes(awsErrorCode(error) ?? "")) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Repeats the action for as long as AWS answers with one of the codes, for example while something
 * still depends on the deleted resource.
 *
 * @throws what the action threw last, when the signal is aborted.
 */
export async function retryWhile<T>(
  codes: readonly string[],
  signal: AbortSignal,
  action: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_POLL_MS)) {
    try {
      return await action();
    } catch (error) {
      if (signal.aborted || !codes.includes(awsErrorCode(error) ?? "")) {
        throw error;
      }
    }
    await pause(pauseMs, signal);
  }
}

/** Polls until the answer is true.
 *
 * @param what names what is waited for, as in `the instance "i-1" to run`.
 * @throws Error when the signal is aborted before that.
 */
export async function waitUntil(
  what: string,
  signal: AbortSignal,
  probe: () => Promise<boolean>,
): Promise<void> {
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_POLL_MS)) {
    if (await probe()) {
      return;
    }
    if (signal.aborted) {
      throw new Error(`gave up waiting for ${what}`);
    }
    await pause(pauseMs, signal);
  }
}

async function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(pauseMs, undefined, { signal });
  } catch {
    // An aborted pause ends early. The caller polls once more and then stops.
  }
}
