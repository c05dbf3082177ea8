import { setImmediate } from "node:timers/promises";
import { Turns } from "../../../../emulator/talos/apid/turns";

/** Has callers ask for their turns at once, and tells who has begun. */
function ask(turns: Turns, count: number): number[] {
  const begun: number[] = [];
  for (let caller = 0; caller < count; caller++) {
    void turns.take().then(() => begun.push(caller));
  }
  return begun;
}

test("a few begin at once, the others later, in the order in which they asked", async () => {
  const begun = ask(new Turns(2), 5);
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  await setImmediate();
  expect(begun).toEqual([0, 1, 2, 3]);
  await setImmediate();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test("who comes while others wait goes behind them", async () => {
  const turns = new Turns(1);
  const first = ask(turns, 2);
  const second = ask(turns, 1);
  await setImmediate();
  expect([first, second]).toEqual([[0, 1], []]);
  await setImmediate();
  expect(second).toEqual([0]);
});

test("who comes when nobody waits any more begins at once", async () => {
  const turns = new Turns(1);
  ask(turns, 3);
  for (let turn = 0; turn < 4; turn++) await setImmediate();
  const later = ask(turns, 2);
  await Promise.resolve();
  expect(later).toEqual([0]);
  await setImmediate();
  expect(later).toEqual([0, 1]);
});
