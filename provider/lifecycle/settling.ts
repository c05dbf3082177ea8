import type { MachineVerdict } from "./judgeMachine";

/** How long a machine has to be well before it counts as that. */
export interface SettlingTimes {
  /** How long without a problem and without another start. */
  readonly settledMs: number;
  /** How long to wait for what was missing before the change too. Default: `PATIENCE_MS`. */
  readonly patienceMs?: number;
}

/**
 * Something that was missing before is not waited for longer than this: a node without a network plugin is
 * never ready. It is longer than what comes back by itself takes: a node is ready some 10 s after its kubelet,
 * and a static pod shows within 35 s.
 */
export const PATIENCE_MS = 70_000;

/** What came of a look. */
export type Settled =
  | { readonly isDone: false; readonly seen: string }
  | { readonly isDone: true; readonly stillMissing: readonly string[] };

/** Follows a machine's looks until it was well for a while. Takes any clock, as each look says when it was. */
export class Settling {
  private starts: string | undefined;
  private wellSinceMs: number | undefined;
  private onlyKnownSinceMs: number | undefined;

  /**
   * @param missingBefore what the machine lacked before the change, as `MachineVerdict.unmet` has it.
   * Default: what it lacks at the first look
   */
  constructor(
    private readonly times: SettlingTimes,
    private missingBefore?: readonly string[],
  ) {}

  /** A look at `nowMs`. */
  see(verdict: MachineVerdict, nowMs: number): Settled {
    const { problems, unmet, unseen, starts } = verdict;
    this.missingBefore ??= unmet;
    const before = this.missingBefore;
    if (starts !== this.starts || problems.length > 0) {
      this.forget();
    }
    this.starts = starts;
    const doubts = [...unmet, ...unseen];
    if (problems.length > 0 || unmet.some((each) => !before.includes(each))) {
      this.forget();
      return { isDone: false, seen: [...problems, ...doubts].join("; ") };
    }
    const { settledMs, patienceMs = PATIENCE_MS } = this.times;
    if (doubts.length > 0) {
      this.wellSinceMs = undefined;
      this.onlyKnownSinceMs ??= nowMs;
      return nowMs - this.onlyKnownSinceMs >= patienceMs
        ? { isDone: true, stillMissing: unmet }
        : { isDone: false, seen: doubts.join("; ") };
    }
    this.wellSinceMs ??= nowMs;
    return nowMs - this.wellSinceMs >= settledMs
      ? { isDone: true, stillMissing: [] }
      : { isDone: false, seen: `it is well; it has to stay so for ${settledMs / 1_000} s` };
  }

  /** A look that failed: nothing is known of the time since the last one. */
  forget(): void {
    this.wellSinceMs = undefined;
    this.onlyKnownSinceMs = undefined;
  }
}
