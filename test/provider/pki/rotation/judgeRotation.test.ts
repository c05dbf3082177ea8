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
  ])("is rejected if it %s, with the remedy", (_what, before, after, words) => {
    const [problem, ...more] = judgeBegun(before, after);
    expect(problem).toMatchObject({ secret: "talosCa" });
    expect(problem?.reason).toContain(words);
    expect(more).toEqual([]);
  });

  it("is judged separately for each CA", () => {
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
  it("continues only from there, whatever has begun", () => {
    expect(judgeComplete(talos("accept"), talos("issue"))).toEqual([]);
    expect(judgeComplete(talos("accept"), talos("drop"))).toHaveLength(1);
    expect(judgeComplete(undefined, talos("issue"))).toHaveLength(1);
  });

  it("may go back by one stage, but never from the end", () => {
    expect(judgeComplete(talos("issue"), talos("accept"))).toEqual([]);
    expect(judgeComplete(talos("drop"), talos("issue"))).toHaveLength(1);
    expect(judgeComplete(talos("accept", 3), talos("drop"))).toEqual([]);
  });
});
