/**
 * Items that are made while they are read. Who stops reading, by `break` or by the iterator's
 * `return`, aborts the signal that `generate` got; a `next` that waits then ends at once, which it
 * would not with an async generator alone.
 */
export function interruptible<T>(
  generate: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const controller = new AbortController();
      const items = generate(controller.signal);
      const done = { done: true, value: undefined } as const;
      return {
        async next() {
          try {
            return await items.next();
          } catch (error) {
            if (controller.signal.aborted) return done;
            throw error;
          }
        },
        async return() {
          controller.abort();
          await items.return();
          return done;
        },
      };
    },
  };
}
