import { judgeBegun, judgeComplete } from "../../../../provider/pki/rotation/judgeRotation";
import type { Rotation, RotationStage } from "../../../../provider/pki/rotation/rotation";

const talos = (stage: RotationStage, to = 2): Rotation => ({ talosCa: { to, stage } });

describe("a rotation that has begun", () => {
  it.each<readonly [string, Rotation | undefined, Rotation | undefined]>([
    ["begins", undefined, talos("accept")],
    ["stays", talos("issue"), talos("issue")],
    ["goes on", talos("issue"), talos("drop")],
    ["goes back by one", talos("issue"), talos("accept")],
    ["is taken back before anything is issued", talos("accept"), undefined],
    ["goes to the next generation", talos("drop"), talos("accept", 3)],
  ])("%s", (_what, before, after) => {
    expect(judgeBegun(before, after)).toEqual([]);
  });

  it.each<readonly [string, Rotation | undefined, Rotation | undefined, string]>([
    [
      "begins with the second stage",
      undefined,
      talos("issue"),
      "{to: 2, stage: accept} to continue",
    ],
    ["leaves out one", talos("accept"), talos("drop"), "{to: 2, stage: issue} to continue"],
    [
      "leaves out a generation",
      talos("drop"),
      talos("accept", 4),
      "{to: 3, stage: accept} to continue",
    ],
    ["disappears", talos("issue"), undefined, "can't go back to the first generation"],
    ["goes back by two", talos("drop"), talos("accept"), "can't go back to {to: 2, stage: accept}"],
  ])("is refused where it %s, with the way out", (_what, before, after, words) => {
    const [problem, ...more] = judgeBegun(before, after);
    expect(problem).toMatchObject({ secret: "talosCa" });
    expect(problem?.reason).toContain(words);
    expect(more).toEqual([]);
  });

  it("is judged by each authority alone", () => {
    const before: Rotation = { ...talos("issue"), kubernetesCa: { to: 2, stage: "issue" } };
    const after: Rotation = { ...talos("drop"), kubernetesCa: { to: 2, stage: "drop" } };
    expect(judgeBegun(before, after)).toEqual([
      {
        secret: "kubernetesCa",
        reason:
          'the Kubernetes CA has reached {to: 2, stage: issue}, and {to: 2, stage: drop} skips a stage: set {to: 2, stage: issue} to stay, or {to: 2, stage: renew} to continue, one "pulumi up" for each stage',
      },
    ]);
  });
});

describe("a rotation that is complete so far", () => {
  it("goes on from there alone, whatever has begun", () => {
    expect(judgeComplete(talos("accept"), talos("issue"))).toEqual([]);
    expect(judgeComplete(talos("accept"), talos("drop"))).toHaveLength(1);
    expect(judgeComplete(undefined, talos("issue"))).toHaveLength(1);
  });

  it("goes back by one, but never from the end: nothing is left of what was dropped", () => {
    expect(judgeComplete(talos("issue"), talos("accept"))).toEqual([]);
    expect(judgeComplete(talos("drop"), talos("issue"))).toHaveLength(1);
    expect(judgeComplete(talos("accept", 3), talos("drop"))).toEqual([]);
  });
});
