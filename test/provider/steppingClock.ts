import { type Clock, realClock, withClock } from "../../provider/base/clock";

/** What of a pause is real, so that simulated machines, whose time is real, move on meanwhile. */
const BREATH_MS = 20;

/**
 * A clock that pauses advance: each takes its time on it, but hardly any of the computer's. All else
 * takes as long as it does, so a probe that hangs still meets its deadline.
 */
export class SteppingClock implements Clock {
  private readonly timers = new Set<Timer>();
  private currentSkippedMs = 0;

  /** How much time it has skipped, which real time only makes less. */
  get skippedMs(): number {
    return this.currentSkippedMs;
  }

  now(): number {
    return Date.now() + this.currentSkippedMs;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer: Timer = {
      atMs: this.now() + delayMs,
      cancelReal: () => undefined,
      fire: () => {
        cancel();
        action();
      },
    };
    const cancel = () => {
      timer.cancelReal();
      this.timers.delete(timer);
    };
    this.timers.add(timer);
    this.arm(timer);
    return cancel;
  }

  async pause(durationMs: number, signal: AbortSignal): Promise<void> {
    const endsAt = this.now() + durationMs;
    await realClock.pause(Math.min(durationMs, BREATH_MS), signal);
    if (!signal.aborted) {
      this.advance(endsAt - this.now());
    }
  }

  /** Moves it on, and runs what is due by then. */
  advance(durationMs: number): void {
    if (durationMs <= 0) {
      return;
    }
    this.currentSkippedMs += durationMs;
    const inOrder = [...this.timers].sort((one, other) => one.atMs - other.atMs);
    for (const timer of inOrder) {
      // An earlier one may have cancelled it.
      if (!this.timers.has(timer)) {
        continue;
      }
      if (timer.atMs <= this.now()) {
        timer.fire();
      } else {
        this.arm(timer);
      }
    }
  }

  private arm(timer: Timer): void {
    timer.cancelReal();
    timer.cancelReal = realClock.after(timer.atMs - this.now(), timer.fire);
  }
}

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
  /** Cancels it as a timer of the computer's. */
  cancelReal: () => void;
}

/** A test whose waits go by a stepping clock of its own, which it can move on too. */
export function steppingIt(name: string, work: (stepping: SteppingClock) => Promise<void>): void {
  it(name, async () => {
    const stepping = new SteppingClock();
    await withClock(stepping, () => work(stepping));
  });
}
