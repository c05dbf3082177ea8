import type { Timers } from "../machine/timers";

/** How soon etcd goes on after what held it is lifted. */
const lookAgainMs = 20;

/** What keeps etcd of a machine from working. */
export class EtcdGate {
  readonly #delays = new Map<symbol, number>();
  readonly #failures = new Map<symbol, string>();

  /** Why etcd doesn't work, in the words of its health check; `undefined` if it does. */
  get failure(): string | undefined {
    return [...this.#failures.values()].at(-1);
  }

  /** How much longer than usual each step takes. */
  get delayMs(): number {
    return [...this.#delays.values()].reduce((sum, delayMs) => sum + delayMs, 0);
  }

  /** Makes each step take longer. Gives what ends it. */
  slow(delayMs: number): () => void {
    const delay = Symbol();
    this.#delays.set(delay, delayMs);
    return () => {
      this.#delays.delete(delay);
    };
  }

  /** Holds etcd where it is. Gives what ends it. */
  hold(failure: string): () => void {
    const hold = Symbol();
    this.#failures.set(hold, failure);
    return () => {
      this.#failures.delete(hold);
    };
  }

  /** The machine's timers, as etcd sees them: nothing of etcd's happens while it is held. */
  timers(timers: Timers): Pick<Timers, "after" | "delay"> {
    return {
      delay: (delayMs) => timers.delay(delayMs),
      after: (delayMs, action) => {
        const attempt = () => {
          if (this.failure === undefined) action();
          else cancel = timers.after(lookAgainMs, attempt);
        };
        let cancel = timers.after(delayMs + this.delayMs, attempt);
        return () => cancel();
      },
    };
  }
}
