import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { orAfter } from "../../emulator/orAfter";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("orAfter", () => {
  test("aborts after the time, also after a garbage collection", async () => {
    const end = orAfter(new AbortController().signal, 20);
    collectGarbage();
    await expect(sleep(600_000, undefined, { signal: end })).rejects.toThrow("aborted");
    expect(end.reason).toMatchObject({ name: "TimeoutError", message: "it took more than 0.02 s" });
  });

  test("aborts with the other signal's reason", async () => {
    const controller = new AbortController();
    const end = orAfter(controller.signal, 600_000);
    const waiting = sleep(600_000, undefined, { signal: end });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("aborted");
    expect(end.reason).toEqual(new Error("enough"));
  });

  test("aborts at once with an aborted signal", () => {
    expect(orAfter(AbortSignal.abort(), 600_000).aborted).toBe(true);
  });
});
