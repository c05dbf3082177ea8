import { Queue } from "../../../../emulator/talos/rpc/queue";

describe("a queue", () => {
  test("returns items in order and waits for more until it is aborted", async () => {
    const queue = new Queue<number>();
    const abort = new AbortController();
    queue.push(1);
    queue.push(2);
    const seen: number[] = [];
    const reading = (async () => {
      for await (const item of queue.drain(abort.signal)) {
        seen.push(item);
      }
    })();
    await new Promise((resolve) => setImmediate(resolve));
    queue.push(3);
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([1, 2, 3]);
    abort.abort();
    await reading;
  });
});
