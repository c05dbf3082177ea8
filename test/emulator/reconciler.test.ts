import { setTimeout as sleep } from "node:timers/promises";
import { Reconciler } from "../../emulator/reconciler";
import { eventually } from "./support/eventually";

describe("Reconciler", () => {
  it("runs one at a time, and once more for all changes in the meantime", async () => {
    let running = 0;
    let runs = 0;
    const reconciler = new Reconciler(
      async () => {
        runs++;
        running++;
        expect(running).toBe(1);
        await sleep(10);
        running--;
      },
      () => undefined,
    );
    for (let change = 0; change < 5; change++) {
      reconciler.changed();
    }
    await reconciler.settled();
    expect(runs).toBe(2);
    await reconciler.stop();
    reconciler.changed();
    await reconciler.settled();
    expect(runs).toBe(2);
  });

  it("reports a failed run, and retries", async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const reconciler = new Reconciler(
      () => {
        runs++;
        return runs === 1 ? Promise.reject(new Error("not yet")) : Promise.resolve();
      },
      (error) => errors.push(error),
      5,
    );
    reconciler.changed();
    await eventually(() => expect(runs).toBe(2));
    expect(errors).toEqual([new Error("not yet")]);
    await reconciler.stop();
  });
});
