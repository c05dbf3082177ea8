/** What a handler tells the person who watches the update. */
export interface Progress {
  /** How long work goes on: what is awaited, what was seen last. */
  readonly report: (line: string) => void;
  /** What did not fail, but is not as it should be. */
  readonly warn: (line: string) => void;
}
