/**
 * An iterable whose items are generated while they are read. `break`, or the iterator's `return`,
 * aborts the signal that `generate` got. A pending `next` then ends at once, which an async
 * generator alone would not do.
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
            if (controller.signal.aborted) {
              return done;
            }
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
