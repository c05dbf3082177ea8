/**
 * Runs work with the engine. Ctrl-C reaches the engine too, which stops in its own way, and this
 * process waits for that. The signal is aborted only if this process alone gets a signal to stop.
 */
export async function withInterrupt<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const interrupt = new AbortController();
  const wait = () => undefined;
  const end = () => interrupt.abort();
  process.on("SIGINT", wait).on("SIGTERM", end).on("SIGHUP", end);
  try {
    return await work(interrupt.signal);
  } finally {
    process.off("SIGINT", wait).off("SIGTERM", end).off("SIGHUP", end);
  }
}
