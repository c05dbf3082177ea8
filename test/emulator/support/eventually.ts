import { setTimeout as sleep } from "node:timers/promises";

/** Asks until the answer passes, and gives it; the last failure is thrown after the deadline. */
export async function eventually<T>(probe: () => T | Promise<T>, deadlineMs = 100_000): Promise<T> {
  for (const end = Date.now() + deadlineMs; ;) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() > end) {
        throw error;
      }
    }
    await sleep(20);
  }
}
