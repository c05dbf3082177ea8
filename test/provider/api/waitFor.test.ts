import { status } from "@grpc/grpc-js";
import { TalosApiError } from "../../../provider/api/talosApiError";
import {
  waitFor,
  WaitCancelledError,
  WaitTimeoutError,
  type ProbeResult,
  type WaitOptions,
} from "../../../provider/api/waitFor";
import { type Clock, realClock, withClock } from "../../../provider/base/clock";
import { duringCall } from "../../../provider/base/engineCall";

/** Timers of waits that nobody has cancelled; what other code has running doesn't count. */
const running = new Set<symbol>();

const countingClock: Clock = {
  now: () => realClock.now(),
  after: (delayMs, action) => {
    const timer = Symbol();
    running.add(timer);
    const cancel = realClock.after(delayMs, () => {
      running.delete(timer);
      action();
    });
    return () => {
      running.delete(timer);
      cancel();
    };
  },
  pause: async (durationMs, signal) => {
    const timer = Symbol();
    running.add(timer);
    await realClock.pause(durationMs, signal);
    running.delete(timer);
  },
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  expect(running.size).toBe(0);
  vi.useRealTimers();
});

const pending = (seen: string): ProbeResult<never> => ({ done: false, status });
const never = () => new Promise<never>(() => undefined);

function apiError(code: status): TalosApiError {
  const context = { node: "10.0.0.4", endpoint: "10.0.0.4:50000", method: "machine.X/Y" };
  return TalosApiError.from(Object.assign(new Error("x"), { code, details: "x" }), context);
}

/** Waits while the clock is moved on, a tenth of a second at a time. */
async function run<T>(
  options: Partial<WaitOptions<T>> & Pick<WaitOptions<T>, "probe">,
  advanceMs: number,
): Promise<{ result: unknown; settledAtMs: number; lines: string[] }> {
  const lines: string[] = [];
  const startMs = Date.now();
  let result: unknown;
  let settledAtMs = -1;
  const settle = (value: unknown) => {
    result = value;
    settledAtMs = Date.now() - startMs;
  };
  const wait = withClock(countingClock, () =>
    waitFor<T>({
      what: "the moon",
      deadlineMs: 60_000,
      report: (line) => lines.push(line),
      ...options,
    }),
  ).then(settle, settle);
  for (let elapsedMs = 0; elapsedMs < advanceMs && settledAtMs < 0; elapsedMs += 100) {
    await vi.advanceTimersByTimeAsync(100);
  }
  if (settledAtMs >= 0) {
    await wait;
  }
  return { result, settledAtMs, lines };
}

describe("waitFor", () => {
  it("returns the probe's result, without progress if it is immediate", async () => {
    const { result, lines } = await run(
      { probe: () => Promise.resolve({ done: true, value: 7 }) },
      100,
    );
    expect(result).toBe(7);
    expect(lines).toEqual([]);
  });

  it("pauses longer each time, up to the interval, and reports each change at once", async () => {
    const answers = [...Array<string>(7).fill("dark"), "a glow"].map(pending);
    const probe = vi.fn(() =>
      Promise.resolve(answers.shift() ?? { done: true as const, value: "moon" }),
    );
    const { result, settledAtMs, lines } = await run({ probe, intervalMs: 2000 }, 10_000);
    expect(result).toBe("moon");
    // 0.1 + 0.2 + 0.4 + 0.8 + 1.6 + 2 + 2 s in the dark; then 0.1 s.
    expect(settledAtMs).toBe(7200);
    expect(probe).toHaveBeenCalledTimes(9);
    expect(lines).toEqual([
      "waiting for the moon: dark (0 s of 60 s)",
      "waiting for the moon: a glow (7 s of 60 s)",
    ]);
  });

  it("doesn't probe more often because of a changing number", async () => {
    let count = 0;
    const probe = vi.fn(() => Promise.resolve(pending(`${++count} stars`)));
    const { lines } = await run({ probe, deadlineMs: 10_000 }, 11_000);
    // At 0, 0.1, 0.3, 0.7, 1.5, and then each second.
    expect(probe).toHaveBeenCalledTimes(13);
    expect(lines).toHaveLength(13);
  });

  it("reports at least every ten seconds, even if a probe hangs", async () => {
    const { lines } = await run(
      { probe: never, reportEveryMs: 60_000, deadlineMs: 35_000 },
      36_000,
    );
    expect(lines).toEqual([
      "waiting for the moon: no answer yet (10 s of 35 s)",
      "waiting for the moon: no answer yet (20 s of 35 s)",
      "waiting for the moon: no answer yet (30 s of 35 s)",
    ]);
  });

  it("counts the silence from the last line", async () => {
    let seen = "dark";
    setTimeout(() => (seen = "a glow"), 6500);
    const { lines } = await run(
      { probe: () => Promise.resolve(pending(seen)), deadlineMs: 20_000 },
      20_000,
    );
    expect(lines).toEqual([
      "waiting for the moon: dark (0 s of 20 s)",
      "waiting for the moon: a glow (7 s of 20 s)",
      "waiting for the moon: a glow (17 s of 20 s)",
    ]);
  });

  it("has one deadline, passes the remaining time to probes, and names the last state", async () => {
    const left: number[] = [];
    const probe = ({ remainingMs }: { remainingMs: number }) => {
      left.push(remainingMs);
      return Promise.resolve(pending("dark"));
    };
    const { result, settledAtMs } = await run({ probe, deadlineMs: 2500 }, 10_000);
    expect(left).toEqual([2500, 2400, 2200, 1800, 1000]);
    expect(settledAtMs).toBe(2500);
    expect(result).toBeInstanceOf(WaitTimeoutError);
    expect(result).toMatchObject({
      what: "the moon",
      lastSeen: "dark",
      waitedMs: 2500,
      message: "gave up waiting for the moon after 3 s; last seen: dark",
    });
  });

  it("ends on time if a probe never ends, and aborts the probe", async () => {
    let signal: AbortSignal | undefined;
    const probe = (context: { signal: AbortSignal }) => {
      signal = context.signal;
      return never();
    };
    const { result, settledAtMs } = await run({ probe, deadlineMs: 2500 }, 10_000);
    expect(result).toBeInstanceOf(WaitTimeoutError);
    expect(settledAtMs).toBe(2500);
    expect(signal?.aborted).toBe(true);
  });

  it("names its last state if a wait within the probe reaches the same deadline first", async () => {
    const inner = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new WaitTimeoutError("the sun", "no answer yet", 0)), 2499);
    });
    const answers = [Promise.resolve(pending("dark")), inner];
    const probe = () => answers.shift() ?? never();
    const { result } = await run({ probe, deadlineMs: 2500 }, 10_000);
    expect(result).toMatchObject({
      message: "gave up waiting for the moon after 2 s; last seen: dark",
    });
  });

  it("keeps the reason of the last try that had a second, when a later one has too little time", async () => {
    const reasons = ["no TLS handshake within 2 s", "no connection within 0 s"];
    const probe = vi.fn(async ({ remainingMs }: { remainingMs: number }) => {
      const isShort = remainingMs < 1000;
      await new Promise((resolve) => setTimeout(resolve, isShort ? 50 : 2000));
      throw new Error(reasons[isShort ? 1 : 0]);
    });
    const options = { probe, isFatal: () => false, deadlineMs: 2500 };
    const { result, lines } = await run(options, 10_000);
    expect(probe.mock.calls.length).toBeGreaterThan(1);
    expect(lines).toEqual([`waiting for the moon: ${reasons[0]} (2 s of 3 s)`]);
    expect(result).toMatchObject({ lastSeen: reasons[0], cause: { message: reasons[0] } });
  });

  it("gives the failure of a short try that is the first", async () => {
    const probe = () => Promise.reject(new Error("no connection within 0 s"));
    const options = { probe, isFatal: () => false, deadlineMs: 300 };
    const { result } = await run(options, 10_000);
    expect(result).toMatchObject({ lastSeen: "no connection within 0 s" });
  });

  it("takes what a short try sees", async () => {
    const probe = ({ remainingMs }: { remainingMs: number }) =>
      Promise.resolve(pending(remainingMs < 1000 ? "a glow" : "dark"));
    const { result } = await run({ probe, intervalMs: 200, deadlineMs: 2500 }, 10_000);
    expect(result).toMatchObject({ lastSeen: "a glow" });
  });

  it("treats a transient failure as a state, and gives the last one as the cause", async () => {
    const error = apiError(status.UNAVAILABLE);
    const { result, lines } = await run(
      { probe: () => Promise.reject(error), deadlineMs: 3000 },
      10_000,
    );
    expect(lines).toEqual([`waiting for the moon: ${error.message} (0 s of 3 s)`]);
    expect(result).toBeInstanceOf(WaitTimeoutError);
    expect(result).toMatchObject({ lastSeen: error.message, cause: error });
  });

  it.each([
    ["an answer that no repetition changes", apiError(status.PERMISSION_DENIED)],
    ["a mistake of the program", new TypeError("x")],
  ])("ends at once with %s", async (_, error) => {
    const { result, settledAtMs } = await run({ probe: () => Promise.reject(error) }, 10_000);
    expect(result).toBe(error);
    expect(settledAtMs).toBeLessThanOrEqual(100);
  });

  it("lets the caller decide what is fatal", async () => {
    const error = apiError(status.NOT_FOUND);
    const outcome = await run(
      { probe: () => Promise.reject(error), isFatal: () => false, deadlineMs: 1000 },
      10_000,
    );
    expect(outcome.result).toBeInstanceOf(WaitTimeoutError);
  });

  it.each(["in a pause", "in a probe", "before it begins"])("can be cancelled %s", async (when) => {
    const controller = new AbortController();
    if (when === "before it begins") {
      controller.abort();
    } else {
      setTimeout(() => controller.abort(), 1500);
    }
    const probe = vi.fn(when === "in a probe" ? never : () => Promise.resolve(pending("dark")));
    const { result, settledAtMs } = await run({ probe, signal: controller.signal }, 10_000);
    expect(result).toBeInstanceOf(WaitCancelledError);
    expect(settledAtMs).toBeLessThanOrEqual(1500);
    if (when === "before it begins") {
      expect(probe).not.toHaveBeenCalled();
    }
  });

  it.each(["a pause", "a probe"])("ends at once when the engine cancels it in %s", async (when) => {
    const engine = new AbortController();
    setTimeout(() => engine.abort(), 1500);
    const probe = when === "a probe" ? never : () => Promise.resolve(pending("dark"));
    const call = { cancelled: engine.signal };
    const { result, settledAtMs } = await duringCall(call, () => run({ probe }, 10_000));
    expect(result).toBeInstanceOf(WaitCancelledError);
    expect(settledAtMs).toBe(1500);
  });

  it("asks no more after the engine has cancelled, also in the next wait of the call", async () => {
    const engine = new AbortController();
    setTimeout(() => engine.abort(), 1500);
    const probe = vi.fn(() => Promise.resolve(pending("dark")));
    await duringCall({ cancelled: engine.signal }, async () => {
      await run({ probe }, 10_000);
      const asked = probe.mock.calls.length;
      const { result, settledAtMs } = await run({ probe }, 10_000);
      expect(result).toBeInstanceOf(WaitCancelledError);
      expect(settledAtMs).toBeLessThanOrEqual(100);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(probe).toHaveBeenCalledTimes(asked);
    });
  });

  it("leaves no listener on the caller's signal", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => warnings.push(warning);
    process.on("warning", listen);
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, "removeEventListener");
    await run(
      { probe: () => Promise.resolve(pending("dark")), signal, deadlineMs: 40_000 },
      50_000,
    );
    process.off("warning", listen);
    expect(warnings).toEqual([]);
    expect(remove).toHaveBeenCalledTimes(1);
  });
});
