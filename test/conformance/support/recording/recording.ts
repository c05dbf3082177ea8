import type { Answer, Request } from "../oracle";

/** What the oracle of a Talos minor answered to a request. */
export interface RecordedAnswer {
  readonly minor: string;
  readonly request: Request;
  readonly answer: Answer<unknown>;
}

/** What some tests tried out, and what Talos' own code said of it. */
export interface Recording {
  /** What the oracles were built from (see `oraclesFingerprint`). */
  readonly oracles: string;
  /** What was made at random, by name. */
  readonly inputs: ReadonlyMap<string, unknown>;
  readonly answers: readonly RecordedAnswer[];
}

/** The command that makes every recording anew. */
export const recordCommand = "npm run conformance -- --record";
