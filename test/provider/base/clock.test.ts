import { waitFor, WaitTimeoutError } from "../../../provider/api/waitFor";
import { clock, realClock, withClock } from "../../../provider/base/clock";
import { SteppingClock } from "../steppingClock";

const waitWith = (probe: () => Promise<{ done: false; status: string }>, deadlineMs: number) =>
  waitFor<never>({ what: "the moon", deadlineMs, probe }).catch((error: unknown) => error);

describe("waits with their own clock", () => {
  it("skip their pauses, and give up at their deadline by that clock", async () => {
    const stepping = new SteppingClock();
    let looks = 0;
    const probe = () => Promise.resolve({ done: false as const, status: `look ${++looks}` });
    const failure = await withClock(stepping, () => waitWith(probe, 30_000));
    expect(failure).toBeInstanceOf(WaitTimeoutError);
    expect(looks).toBeGreaterThan(1);
    expect(stepping.skippedMs).toBeLessThanOrEqual(30_000);
  });

  it("take as long as a probe that hangs, until the clock is moved on", async () => {
    const stepping = new SteppingClock();
    const hanging = () => new Promise<never>(() => undefined);
    const failure = withClock(stepping, () => waitWith(hanging, 3_600_000));
    stepping.advance(3_600_000);
    expect(await failure).toBeInstanceOf(WaitTimeoutError);
  });

  it("do not change the time of other waits", async () => {
    const stepping = new SteppingClock();
    stepping.advance(86_400_000);
    const ahead = withClock(stepping, async () => {
      await realClock.pause(1, new AbortController().signal);
      return clock.now();
    });
    const beside = clock.now();
    expect((await ahead) - beside).toBeGreaterThanOrEqual(86_400_000);
    expect(clock.now() - beside).toBeLessThan(43_200_000);
  });
});
