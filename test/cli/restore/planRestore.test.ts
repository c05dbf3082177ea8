import {
  planRestore,
  recordedStage,
  type RestoreConsent,
  type SeenMachine,
} from "../../../cli/restore/planRestore";

const nothing: RestoreConsent = { discardRunningEtcd: false, acceptOtherCluster: false };
const snapshot = { path: "/tmp/etcd.snapshot", cluster: "this" } as const;
const begun = {
  path: "/tmp/etcd.snapshot",
  sha256: "aa",
  skipHashCheck: false,
  at: "2026-11-23T20:00:00Z",
} as const;

/** Machines by what each says of its etcd; those that are gone say nothing. */
function seen(...looks: (SeenMachine["look"] | "gone")[]): SeenMachine[] {
  return looks.map((look, index) => ({
    name: `c-control-plane-${index + 1}`,
    machineId: `i-${index + 1}`,
    isGone: look === "gone",
    look: look === "gone" ? { kind: "silent", reason: "nothing listens there" } : look,
  }));
}

const well = { kind: "holding", state: "Running", members: ["a", "b"] } as const;
const alone = { kind: "holding", state: "Running", members: undefined } as const;
const waiting = { kind: "waiting" } as const;
const silent = { kind: "silent", reason: "nothing listens there" } as const;

describe("planRestore", () => {
  it("creates lost machines again, and wipes the remaining ones", () => {
    expect(planRestore("prod", "none", snapshot, seen("gone", "gone", alone), nothing)).toEqual({
      kind: "begin",
      wiped: ["c-control-plane-3"],
      lost: ["c-control-plane-1", "c-control-plane-2"],
    });
    expect(planRestore("prod", "none", snapshot, seen("gone", "gone", "gone"), nothing)).toEqual({
      kind: "begin",
      wiped: [],
      lost: ["c-control-plane-1", "c-control-plane-2", "c-control-plane-3"],
    });
  });

  it("skips a machine whose etcd has no data, or that has no configuration yet", () => {
    const machines = seen(waiting, { kind: "unconfigured" }, { kind: "starting", state: "absent" });
    expect(planRestore("prod", "none", snapshot, machines, nothing)).toMatchObject({
      wiped: ["c-control-plane-3"],
    });
  });

  it("refuses while etcd has its majority, unless the user accepts losing it", () => {
    const machines = seen(well, well, "gone");
    expect(planRestore("prod", "none", snapshot, machines, nothing)).toEqual({
      kind: "refused",
      reason: expect.stringMatching(
        /majority \(a, b\), so nothing is lost yet: "talos-aws up prod --refresh".*--discard-running-etcd/,
      ) as string,
    });
    expect(planRestore("prod", "done", snapshot, machines, nothing)).toEqual({
      kind: "refused",
      reason: expect.stringMatching(
        /^etcd has come back from this snapshot .* "talos-aws up prod --refresh" completes the rest.*--discard-running-etcd/,
      ) as string,
    });
    const consent = { ...nothing, discardRunningEtcd: true };
    expect(planRestore("prod", "none", snapshot, machines, consent)).toMatchObject({
      wiped: ["c-control-plane-1", "c-control-plane-2"],
      lost: ["c-control-plane-3"],
    });
  });

  it("always refuses while a machine exists in AWS and does not answer", () => {
    const consent = { discardRunningEtcd: true, acceptOtherCluster: true };
    expect(planRestore("prod", "wiping", snapshot, seen(alone, silent, "gone"), consent)).toEqual({
      kind: "refused",
      reason: expect.stringMatching(
        /^c-control-plane-2 \(i-2\) can't be reached: nothing listens there\. .*terminate-instances --instance-ids i-2"/,
      ) as string,
    });
  });

  it("rejects the snapshot of another cluster, unless the CA was rotated", () => {
    const foreign = { ...snapshot, cluster: "another" } as const;
    const machines = seen("gone");
    expect(planRestore("prod", "none", foreign, machines, nothing)).toMatchObject({
      reason: expect.stringContaining("is from another cluster") as string,
    });
    const consent = { ...nothing, acceptOtherCluster: true };
    expect(planRestore("prod", "none", foreign, machines, consent)).toMatchObject({
      kind: "begin",
    });
  });

  it("continues after an interruption, also if the old etcd had its majority", () => {
    const machines = seen(well, waiting, well);
    expect(planRestore("prod", "wiping", snapshot, machines, nothing)).toMatchObject({
      wiped: ["c-control-plane-1", "c-control-plane-3"],
    });
    const one = { ...well, members: ["a"] };
    for (const found of [seen(one, silent, "gone"), seen(alone, waiting, waiting), seen("gone")]) {
      expect(planRestore("prod", "recovering", snapshot, found, nothing)).toEqual({ kind: "goOn" });
    }
    expect(planRestore("prod", "finishing", snapshot, seen(one, silent), nothing)).toEqual({
      kind: "finish",
    });
  });
});

describe("planRestore, after a failed restore", () => {
  it("wipes machines after a failed recovery, and after another loss of the majority", () => {
    const failed = { kind: "holding", state: "Failed", members: undefined } as const;
    expect(planRestore("prod", "recovering", snapshot, seen(failed, waiting), nothing)).toEqual({
      kind: "begin",
      wiped: ["c-control-plane-1"],
      lost: [],
    });
    expect(planRestore("prod", "finishing", snapshot, seen("gone", alone), nothing)).toEqual({
      kind: "begin",
      wiped: ["c-control-plane-2"],
      lost: ["c-control-plane-1"],
    });
  });
});

describe("recordedStage", () => {
  const none = { begun: undefined, done: undefined, isDoneWell: true };

  it.each([
    ["nothing was begun", none, "none"],
    [
      "machines are being wiped",
      { ...none, begun: { ...begun, phase: "wiping" as const } },
      "wiping",
    ],
    [
      "none holds the old etcd",
      { ...none, begun: { ...begun, phase: "recovering" as const } },
      "recovering",
    ],
    [
      "another snapshot was begun",
      { ...none, begun: { ...begun, sha256: "bb", phase: "wiping" as const } },
      "none",
    ],
    ["etcd is back, the cluster isn't", { ...none, done: begun, isDoneWell: false }, "finishing"],
    ["all of it is done", { ...none, done: begun }, "done"],
    ["another snapshot was restored", { ...none, done: { ...begun, sha256: "bb" } }, "none"],
  ] as const)("knows the stage when %s", (_, target, stage) => {
    expect(recordedStage(target, { sha256: "aa" })).toBe(stage);
  });
});
