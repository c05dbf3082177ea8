import { Queue } from "../rpc/queue";

/**
 * Merges the items of several streams as they arrive. Ends after all streams, or at the first
 * failure.
 */
export async function* mergeStreams<T>(
  streams: readonly AsyncIterable<T>[],
  signal: AbortSignal,
): AsyncIterable<T> {
  const queue = new Queue<{ item: T } | { failure: unknown } | "end">();
  for (const stream of streams) {
    void pump(stream, queue);
  }
  let open = streams.length;
  if (open === 0) {
    return;
  }
  for await (const entry of queue.drain(signal)) {
    if (entry === "end") {
      open -= 1;
      if (open === 0) {
        return;
      }
    } else if ("failure" in entry) {
      throw entry.failure;
    } else {
      yield entry.item;
    }
  }
}

async function pump<T>(
  stream: AsyncIterable<T>,
  queue: Queue<{ item: T } | { failure: unknown } | "end">,
): Promise<void> {
  try {
    for await (const item of stream) {
      queue.push({ item });
    }
    queue.push("end");
  } catch (failure) {
    queue.push({ failure });
  }
}
