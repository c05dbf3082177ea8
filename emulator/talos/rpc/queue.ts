/**
 * Turns events into a stream, in order, until the signal aborts. Items are queued while the reader is busy.
 * Items that were pushed before the abort are still delivered.
 */
export class Queue<T> {
  private readonly items: T[] = [];
  private wake: (() => void) | undefined;

  /** Adds an item at the end. */
  push(item: T): void {
    this.items.push(item);
    this.wake?.();
  }

  /** The items, also future ones. Ends after the last queued item when the signal aborts. */
  async *drain(signal: AbortSignal): AsyncIterable<T> {
    const wake = () => this.wake?.();
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        const item = this.items.shift();
        if (item !== undefined) {
          yield item;
          continue;
        }
        if (signal.aborted) {
          return;
        }
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }
}
