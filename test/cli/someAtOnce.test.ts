import { setImmediate } from "node:timers/promises";
import { someAtOnce } from "../../cli/someAtOnce";

it("does so many at once, and keeps the order of the results", async () => {
  let running = 0;
  const seen: number[] = [];
  const results = await someAtOnce(2, [3, 1, 2, 0], async (turns) => {
    running += 1;
    seen.push(running);
    for (let turn = 0; turn < turns; turn++) {
      await setImmediate();
    }
    running -= 1;
    return turns * 10;
  });
  expect(results).toEqual([30, 10, 20, 0]);
  expect(Math.max(...seen)).toBe(2);
});
