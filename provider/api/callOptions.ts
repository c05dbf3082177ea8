/** Options of one call. */
export interface CallOptions {
  /**
   * The time limit of the whole call, including all endpoints that are tried and the complete
   * reply. Default: 15 s; none for streams without an end.
   */
  timeoutMs?: number;
  /** Cancels the call, which then fails with code `cancelled`. */
  signal?: AbortSignal;
}

/** The time limit of a call if the caller gives none. */
export const defaultTimeoutMs = 15_000;

/**
 * The cancellation of a call. An `AbortController` would do the same, but creating one and
 * listening to it takes about a tenth of a call, and a hundred machines are called several times
 * each.
 */
export class Cancellation {
  private cancelled = false;
  private listener: (() => void) | undefined;

  get isCancelled(): boolean {
    return this.cancelled;
  }

  /** Cancels, and tells the listener. */
  cancel(): void {
    if (this.cancelled) {
      return;
    }
    this.cancelled = true;
    this.listener?.();
  }

  /** Replaces the listener. The new one is called at once if this was cancelled already. */
  listen(listener: (() => void) | undefined): void {
    this.listener = listener;
    if (this.cancelled) {
      listener?.();
    }
  }
}
