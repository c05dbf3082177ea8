import { describeDuration, runStep } from "../../scripts/runStep";

describe("a step that takes minutes", () => {
  let lines: string[];
  const say = (line: string) => void lines.push(line);

  beforeEach(() => {
    lines = [];
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  it("reports its progress every ten seconds at first, and its duration at the end", async () => {
    const done = runStep("pulumi", say, async (log) => {
      log.say("building it");
      log.at("compiling package 1 of 9");
      await pause(11_000);
      log.at("linking");
      await pause(54_000);
      return "built";
    });
    await vi.advanceTimersByTimeAsync(65_000);
    expect(await done).toBe("built");
    expect(lines[0]).toBe("pulumi: building it");
    expect(lines[1]).toBe("pulumi: compiling package 1 of 9 (10 s)");
    expect(lines[2]).toBe("pulumi: linking (20 s)");
    expect(lines.slice(-2)).toEqual([
      "pulumi: linking (1 min 0 s)",
      "pulumi: ready after 1 min 5 s",
    ]);
  });

  it("reports less often after its first minute", async () => {
    const done = runStep("pulumi", say, async (log) => {
      log.at("compiling");
      await pause(125_000);
    });
    await vi.advanceTimersByTimeAsync(125_000);
    await done;
    expect(lines.slice(5)).toEqual([
      "pulumi: compiling (1 min 0 s)",
      "pulumi: compiling (1 min 30 s)",
      "pulumi: compiling (2 min 0 s)",
      "pulumi: ready after 2 min 5 s",
    ]);
  });

  it("prints nothing if it is quick, or has no progress", async () => {
    expect(await runStep("moto", say, () => Promise.resolve(7))).toBe(7);
    const silent = runStep("moto", say, () => pause(12_000));
    await vi.advanceTimersByTimeAsync(12_000);
    await silent;
    expect(lines).toEqual(["moto: ready after 12 s"]);
  });

  it("ends its reports when it fails", async () => {
    const failed = runStep("moto", say, (log) => {
      log.at("downloading");
      return Promise.reject(new Error("no network"));
    });
    await expect(failed).rejects.toThrow("no network");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(lines).toEqual([]);
  });

  it("formats durations for people", () => {
    expect([4_400, 60_000, 192_000].map(describeDuration)).toEqual([
      "4 s",
      "1 min 0 s",
      "3 min 12 s",
    ]);
  });
});
