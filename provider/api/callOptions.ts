/** How one call is to be made. */
export interface CallOptions {
  /**
   * All the time the call has, for every endpoint that is tried and the whole reply. Default: 15 s;
   * none for streams that go on for as long as they are read.
   */
  timeoutMs?: number;
  /** Gives the call up; it then fails with code `cancelled`. */
  signal?: AbortSignal;
}

/** Deadline of a call for which the caller gave none. */
export const defaultTimeoutMs = 15_000;
