/** The duration of a restart's steps, in milliseconds. */
export interface RestartPace {
  /** Until the kubelet sees a changed definition of a static pod. Real: up to 20 s. */
  readonly noticeMs: number;
  /** Until the old container has ended and the next one can be created. Real: seconds. */
  readonly stopMs: number;
  /** From the start of a container until it works. Real: 3 to 10 s. */
  readonly answerMs: number;
  /** From the start of a program with invalid flags until it ends. Real: 0.1 to 1 s. */
  readonly crashMs: number;
  /** From a change of a static pod until Talos' resource shows it. Real: up to 15 s. */
  readonly refreshMs: number;
  /** Until a component without its API server ends. Real: 10 s, the time to renew its lease. */
  readonly loseMs: number;
  /** Until the lease of a controller manager that has ended expires. Real: 15 s. */
  readonly leaseMs: number;
  /** From a failure of the kubelet until its restart. Real: 5 s. */
  readonly rerunMs: number;
  /**
   * The back-off of a controller of Talos after a number of failures. Real: half a second at first, a
   * minute at most.
   */
  readonly retryMs: (failures: number) => number;
  /** The back-off of a container after a number of failures. Real: none, 10 s, 20 s … 5 min. */
  readonly backOffMs: (failures: number) => number;
}

/** The shortest back-off of a controller, so that one which fails for ever leaves time for others. */
const SHORTEST_RETRY_MS = 20;

/** The longest back-off, as a multiple of a restart. */
const LONGEST_BACK_OFF = 4;

/**
 * The steps of restarts that take about this long in total. Each step gets a share, and none is
 * zero.
 */
export function restartPace(restartMs: number): RestartPace {
  return {
    noticeMs: restartMs * 0.3,
    stopMs: restartMs * 0.3,
    answerMs: restartMs * 0.4,
    crashMs: restartMs * 0.1,
    refreshMs: restartMs * 0.15,
    loseMs: restartMs,
    leaseMs: restartMs * 1.5,
    rerunMs: restartMs * 0.5,
    retryMs: (failures) =>
      Math.max(SHORTEST_RETRY_MS, restartMs * Math.min(1.5, 0.0125 * 1.5 ** (failures - 1))),
    backOffMs: (failures) => restartMs * Math.min(LONGEST_BACK_OFF, 2 ** (failures - 1) * 0.5),
  };
}
