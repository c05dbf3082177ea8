import { Queue } from "../rpc/queue";

/** Items of several streams as they come. Ends when all have ended; the first failure ends it too. */
export async function* mergeStreams<T>(
  streams: readonly AsyncIterable<T>[],
  signal: AbortSignal,
): AsyncIterable<T> {
  const queue = new Queue<{ item: T } | { failure: unknown } | "end">();
  for (const stream of streams) void pump(stream, queue);
  let open = streams.length;
  if (open === 0) return;
  for await (const entry of queue.drain(signal)) {
    if (entry === "end") {
      open -= 1;
      if (open === 0) return;
    } else if ("failure" in entry) throw entry.failure;
    else yield entry.item;
  }
}

async function pump<T>(
  stream: AsyncIterable<T>,
  queue: Queue<{ item: T } | { failure: unknown } | "end">,
): Promise<void> {
  try {
    for await (const item of stream) queue.push({ item });
    queue.push("end");
  } catch (failure) {
    queue.push({ failure });
  }
}
