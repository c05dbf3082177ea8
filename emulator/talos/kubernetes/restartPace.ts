/** How long the steps of a restart take, in milliseconds. */
export interface RestartPace {
  /** Until the kubelet sees that a static pod is defined differently. Real: up to 20 s. */
  readonly noticeMs: number;
  /** Until an old container has ended and the next one can be made. Real: seconds. */
  readonly stopMs: number;
  /** From the start of a container until it does what it is for. Real: 3 to 10 s. */
  readonly answerMs: number;
  /** From the start of a program that refuses its flags until it has ended. Real: 0.1 to 1 s. */
  readonly crashMs: number;
  /** From a change of a static pod until Talos' resource tells of it. Real: up to 15 s. */
  readonly refreshMs: number;
  /** Until a component ends that has lost its API server. Real: 10 s, which it has to renew its lease. */
  readonly loseMs: number;
  /** From a failure of the kubelet until it is started again. Real: 5 s. */
  readonly rerunMs: number;
  /** Until a container that failed so many times is started again. Real: at once, 10 s, 20 s … 5 min. */
  readonly backOffMs: (failures: number) => number;
}

/** The longest back-off is so many times as long as a restart. */
const longestBackOff = 4;

/** The steps of restarts that take about this long in all: each has its share, none is zero. */
export function restartPace(restartMs: number): RestartPace {
  return {
    noticeMs: restartMs * 0.3,
    stopMs: restartMs * 0.3,
    answerMs: restartMs * 0.4,
    crashMs: restartMs * 0.1,
    refreshMs: restartMs * 0.15,
    loseMs: restartMs,
    rerunMs: restartMs * 0.5,
    backOffMs: (failures) => restartMs * Math.min(longestBackOff, 2 ** (failures - 1) * 0.5),
  };
}
