import type { Timers } from "../machine/timers";

/** How soon etcd continues after a hold is lifted. */
const LOOK_AGAIN_MS = 20;

/** Faults that slow down or hold a machine's etcd. */
export class EtcdGate {
  private readonly delays = new Map<symbol, number>();
  private readonly failures = new Map<symbol, string>();

  /** The failure of etcd's health check while it is held. Undefined otherwise. */
  get failure(): string | undefined {
    return [...this.failures.values()].at(-1);
  }

  /** The extra time of each step. */
  get delayMs(): number {
    return [...this.delays.values()].reduce((sum, delayMs) => sum + delayMs, 0);
  }

  /** Makes each step take longer. Returns a function that ends it. */
  slow(delayMs: number): () => void {
    const delay = Symbol();
    this.delays.set(delay, delayMs);
    return () => {
      this.delays.delete(delay);
    };
  }

  /** Stops etcd's progress. Returns a function that ends it. */
  hold(failure: string): () => void {
    const hold = Symbol();
    this.failures.set(hold, failure);
    return () => {
      this.failures.delete(hold);
    };
  }

  /** The machine's timers for etcd. They pause while etcd is held. */
  timers(timers: Timers): Pick<Timers, "after" | "delay"> {
    return {
      delay: (delayMs) => timers.delay(delayMs),
      after: (delayMs, action) => {
        const attempt = () => {
          if (this.failure === undefined) {
            action();
          } else {
            cancel = timers.after(LOOK_AGAIN_MS, attempt);
          }
        };
        let cancel = timers.after(delayMs + this.delayMs, attempt);
        return () => cancel();
      },
    };
  }
}
