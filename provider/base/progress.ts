/** Messages of a handler for the person who watches the update. */
export interface Progress {
  /** The progress of the work: what is awaited, and the current state. It is shown while the work lasts. */
  readonly report: (line: string) => void;
  /** A problem that is not a failure. It is still shown when the run has ended. */
  readonly warn: (line: string) => void;
}
