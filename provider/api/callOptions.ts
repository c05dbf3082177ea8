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
