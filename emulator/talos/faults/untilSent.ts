/** Long enough for an answer to leave before its connection is cut. */
const sentMs = 50;

/** Resolves when what was answered just now has been sent. */
export function untilSent(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, sentMs));
}
