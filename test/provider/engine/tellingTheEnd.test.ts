import { clock } from "../../../provider/base/clock";
import { tellingTheEnd } from "../../../provider/engine/tellingTheEnd";
import { recordedProgress } from "../progress";
import { steppingIt } from "../steppingClock";

const signal = new AbortController().signal;

describe("tellingTheEnd", () => {
  steppingIt("ends progress with what was achieved, and after how long", async () => {
    const progress = recordedProgress();
    const result = await tellingTheEnd(progress, "configured", async ({ report }) => {
      report("waiting for a machine: connection refused");
      await clock.pause(42_000, signal);
      return "the result";
    });
    expect(result).toBe("the result");
    expect(progress.lines).toEqual([
      "waiting for a machine: connection refused",
      "configured after 42 s",
    ]);
  });

  it("says nothing of work that had nothing to say, or warned last", async () => {
    const progress = recordedProgress();
    await tellingTheEnd(progress, "configured", () => Promise.resolve());
    await tellingTheEnd(progress, "configured", ({ report, warn }) => {
      report("waiting");
      warn("it was left alone");
      return Promise.resolve();
    });
    expect(progress.lines).toEqual(["waiting"]);
  });

  it("says nothing of work that fails", async () => {
    const progress = recordedProgress();
    const failing = tellingTheEnd(progress, "configured", ({ report }) => {
      report("waiting");
      return Promise.reject(new Error("gave up; last seen: connection refused"));
    });
    await expect(failing).rejects.toThrow("last seen: connection refused");
    expect(progress.lines).toEqual(["waiting"]);
  });
});
