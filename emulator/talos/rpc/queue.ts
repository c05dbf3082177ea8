/**
 * Turns events into a stream: what is pushed comes out in order, until the signal aborts. Nothing is
 * lost while the reader is busy, and what was pushed before the abort still comes out.
 */
export class Queue<T> {
  readonly #items: T[] = [];
  #wake: (() => void) | undefined;

  /** Adds an item at the end. */
  push(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** The items, those to come too; ends with the last one there is when the signal aborts. */
  async *drain(signal: AbortSignal): AsyncIterable<T> {
    const wake = () => this.#wake?.();
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        const item = this.#items.shift();
        if (item !== undefined) {
          yield item;
          continue;
        }
        if (signal.aborted) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", wake);
    }
  }
}
