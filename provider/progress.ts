/** Messages of a handler for the person who watches the update. */
export interface Progress {
  /** The progress of the work: what is awaited, and the current state. */
  readonly report: (line: string) => void;
  /** A problem that is not a failure. */
  readonly warn: (line: string) => void;
}
