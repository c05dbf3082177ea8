import type { MachineVerdict } from "./judgeMachine";

/** How long a machine must be healthy. */
export interface SettlingTimes {
  /** How long it must have no problem and no restart. */
  readonly settledMs: number;
  /** How long to wait for what was already missing before the change. Default: `PATIENCE_MS`. */
  readonly patienceMs?: number;
}

/**
 * The longest wait for something that was already missing: without a pod network, a node is never
 * ready. It is longer than what recovers on its own needs. A node is ready some 10 s after its
 * kubelet, and a static pod appears within 35 s.
 */
const PATIENCE_MS = 70_000;

/** The result of a check. */
export type Settled =
  | { readonly isDone: false; readonly seen: string }
  | {
      readonly isDone: true;
      /** What was already missing before the change, and still is. */
      readonly stillMissing: readonly string[];
      /** What is wrong, perhaps since before the change. */
      readonly doubtful: readonly string[];
    };

/**
 * Follows the checks of a machine until it was healthy for a while. It works with any clock,
 * because each check contains its time.
 */
export class Settling {
  private starts: string | undefined;
  private wellSinceMs: number | undefined;
  private onlyKnownSinceMs: number | undefined;

  /**
   * @param missingBefore problems before the change, as in `MachineVerdict.unmet`. Default: those
   *   of the first check
   */
  constructor(
    private readonly times: SettlingTimes,
    private missingBefore?: readonly string[],
  ) {}

  /** A check at `nowMs`. */
  see(verdict: MachineVerdict, nowMs: number): Settled {
    const { problems, unmet, unseen, doubts: doubtful, starts } = verdict;
    this.missingBefore ??= unmet;
    const before = this.missingBefore;
    if (starts !== this.starts || problems.length > 0) {
      this.forget();
    }
    this.starts = starts;
    const doubts = [...unmet, ...unseen, ...doubtful];
    if (problems.length > 0 || unmet.some((each) => !before.includes(each))) {
      this.forget();
      return { isDone: false, seen: [...problems, ...doubts].join("; ") };
    }
    const { settledMs, patienceMs = PATIENCE_MS } = this.times;
    if (doubts.length > 0) {
      this.wellSinceMs = undefined;
      this.onlyKnownSinceMs ??= nowMs;
      return nowMs - this.onlyKnownSinceMs >= patienceMs
        ? { isDone: true, stillMissing: unmet, doubtful }
        : { isDone: false, seen: doubts.join("; ") };
    }
    this.wellSinceMs ??= nowMs;
    return nowMs - this.wellSinceMs >= settledMs
      ? { isDone: true, stillMissing: [], doubtful: [] }
      : { isDone: false, seen: `it is healthy, and must stay so for ${settledMs / 1_000} s` };
  }

  /** A failed check: the time since the last one is unknown. */
  forget(): void {
    this.wellSinceMs = undefined;
    this.onlyKnownSinceMs = undefined;
  }
}
