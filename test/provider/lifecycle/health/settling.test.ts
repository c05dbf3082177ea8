import type { MachineVerdict } from "../../../../provider/lifecycle/health/judgeMachine";
import { Settling } from "../../../../provider/lifecycle/health/settling";

const notReady = "it is not ready: nodeReady";
const times = { settledMs: 5_000, patienceMs: 60_000 };

function verdict(more: Partial<MachineVerdict> = {}): MachineVerdict {
  return {
    problems: [],
    unmet: [],
    unseen: [],
    doubts: [],
    crashes: [],
    unrendered: [],
    starts: "1",
    ...more,
  };
}

describe("Settling", () => {
  it("is done when a machine was healthy for the whole time", () => {
    const settling = new Settling(times);
    expect(settling.see(verdict(), 0)).toEqual({
      isDone: false,
      seen: "it is healthy, and must stay so for 5 s",
    });
    expect(settling.see(verdict(), 4_999).isDone).toBe(false);
    expect(settling.see(verdict(), 5_000)).toEqual({
      isDone: true,
      stillMissing: [],
      doubtful: [],
    });
  });

  it.each([
    ["a problem", verdict({ problems: ["etcd is Preparing"] })],
    ["another start", verdict({ starts: "2" })],
    ["what was not missing before", verdict({ unmet: [notReady] })],
  ])("begins again after %s", (_name, between) => {
    const settling = new Settling(times);
    settling.see(verdict(), 0);
    settling.see(between, 3_000);
    expect(settling.see(verdict({ starts: between.starts }), 6_000).isDone).toBe(false);
    expect(settling.see(verdict({ starts: between.starts }), 11_000).isDone).toBe(true);
  });

  it("begins again after a failed check", () => {
    const settling = new Settling(times);
    settling.see(verdict(), 0);
    settling.forget();
    expect(settling.see(verdict(), 6_000).isDone).toBe(false);
  });

  it("waits for the end of a problem without a limit, and names it", () => {
    const settling = new Settling(times);
    const broken = verdict({ problems: ["etcd is Preparing"], unmet: [notReady] });
    settling.see(broken, 0);
    expect(settling.see(broken, 10_000_000)).toEqual({
      isDone: false,
      seen: `etcd is Preparing; ${notReady}`,
    });
  });

  it("waits without a limit for parts that were not missing before", () => {
    const settling = new Settling(times, []);
    settling.see(verdict({ unmet: [notReady] }), 0);
    expect(settling.see(verdict({ unmet: [notReady] }), 10_000_000).isDone).toBe(false);
  });

  it("waits a while for parts that were missing before, then warns", () => {
    const settling = new Settling(times, [notReady]);
    const same = verdict({ unmet: [notReady] });
    settling.see(verdict({ problems: ["kubelet is Stopping"], unmet: [notReady] }), 0);
    settling.see(same, 10_000);
    expect(settling.see(same, 69_999)).toEqual({ isDone: false, seen: notReady });
    expect(settling.see(same, 70_000)).toEqual({
      isDone: true,
      stillMissing: [notReady],
      doubtful: [],
    });
  });

  it("treats parts that are missing at the first check as missing before, if nothing else is known", () => {
    const settling = new Settling(times);
    const same = verdict({ unmet: [notReady] });
    settling.see(same, 0);
    expect(settling.see(same, 60_000)).toEqual({
      isDone: true,
      stillMissing: [notReady],
      doubtful: [],
    });
  });

  it("treats an unchanged pod as one whose change was reverted", () => {
    const settling = new Settling(times, []);
    const same = verdict({ unseen: ["pod default/proxy-cp-1: …"] });
    expect(settling.see(same, 0).isDone).toBe(false);
    expect(settling.see(same, 60_000)).toEqual({ isDone: true, stillMissing: [], doubtful: [] });
  });
});
