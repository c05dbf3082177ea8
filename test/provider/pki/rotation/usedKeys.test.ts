import type { Rotation, RotationStage } from "../../../../provider/pki/rotation/rotation";
import { judgeUsedKeys, usedKeys } from "../../../../provider/pki/rotation/usedKeys";

const secretbox = (stage: RotationStage, to = 2): Rotation => ({ secretboxKey: { to, stage } });

/** What is recorded after a cluster went through stages, each begun by an `up`. */
const after = (...stages: readonly (Rotation | undefined)[]) =>
  stages.reduce<NonNullable<Parameters<typeof usedKeys>[0]>>(
    (before, rotation) => ({
      ...(rotation && { rotation }),
      usedKeys: usedKeys(before, rotation),
    }),
    {},
  );

const reasons = (...stages: readonly (Rotation | undefined)[]) =>
  judgeUsedKeys(after(...stages.slice(0, -1)), stages.at(-1)).map(({ reason }) => reason);

describe("a key that was used", () => {
  it("must stay accepted, also where the stage that used it was reverted", () => {
    const [problem, ...more] = reasons(
      secretbox("accept"),
      secretbox("issue"),
      secretbox("accept"),
      undefined,
    );
    expect(problem).toBe(
      'the secretbox key of generation 2 was used in the stage "issue", so it must stay accepted: set {to: 2, stage: accept} to stay, or {to: 2, stage: issue} to continue',
    );
    expect(more).toEqual([]);
    const third = [secretbox("accept", 3), secretbox("issue", 3), secretbox("accept", 3)];
    expect(reasons(secretbox("drop"), ...third, secretbox("accept", 3))).toEqual([]);
    expect(reasons(secretbox("drop"), ...third, secretbox("drop"))).toHaveLength(1);
  });

  it("is recorded for keys whose work outlives the stage, each alone", () => {
    const all: Rotation = {
      talosCa: { to: 2, stage: "issue" },
      serviceAccountKey: { to: 2, stage: "issue" },
      secretboxKey: { to: 2, stage: "accept" },
      bootstrapToken: { to: 2, stage: "issue" },
    };
    expect(usedKeys(undefined, all)).toEqual(["serviceAccountKey"]);
    const reverted: Rotation = { serviceAccountKey: { to: 2, stage: "accept" } };
    expect(usedKeys({ rotation: all }, reverted)).toEqual(["serviceAccountKey"]);
  });

  it("is none before it is used, and none when it is the only one", () => {
    expect(reasons(secretbox("accept"), undefined)).toEqual([]);
    expect(after(secretbox("accept"), secretbox("issue"), secretbox("drop")).usedKeys).toEqual([]);
    expect(reasons(secretbox("drop"), secretbox("accept", 3), secretbox("drop"))).toEqual([]);
    expect(usedKeys(undefined, undefined)).toEqual([]);
  });
});
