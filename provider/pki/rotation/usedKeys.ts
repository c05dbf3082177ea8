import type { RotationProblem } from "./judgeRotation";
import { nameOf, position, type Rotation } from "./rotation";

/**
 * Keys whose work outlives the stage in which they are used: Secrets stay encrypted, and pods keep
 * their tokens for up to a day.
 */
const LASTING_KEYS = ["serviceAccountKey", "secretboxKey"] as const;

/** A key whose work outlives the stage in which it is used. */
export type LastingKey = (typeof LASTING_KEYS)[number];

/** What is recorded of a rotation. */
interface RecordedRotation {
  readonly rotation?: Rotation;
  readonly usedKeys?: readonly LastingKey[];
}

/**
 * The keys whose new generation may have been used: `issue` began for it, also if it was reverted
 * later. From `drop` on, it is the only one.
 *
 * @param before what was recorded last; undefined for a new cluster
 */
export function usedKeys(
  before: RecordedRotation | undefined,
  after: Rotation | undefined,
): readonly LastingKey[] {
  return LASTING_KEYS.filter((key) => {
    const [old, step] = [before?.rotation?.[key], after?.[key]];
    const hasBegun = old?.stage === "issue" || before?.usedKeys?.includes(key) === true;
    const wasUsed = hasBegun && old?.to === step?.to;
    return step?.stage === "issue" || (step?.stage === "accept" && wasUsed);
  });
}

/** Refuses to take back the stage `accept` of a key that was used. */
export function judgeUsedKeys(
  { rotation = {}, usedKeys: used = [] }: RecordedRotation,
  after: Rotation | undefined,
): readonly RotationProblem[] {
  return used.flatMap((secret) => {
    const [old, step] = [rotation[secret], after?.[secret]];
    const isTakenBack = old?.stage === "accept" && position(secret, step) < position(secret, old);
    return isTakenBack
      ? [
          {
            secret,
            reason: `${nameOf(secret)} of generation ${old.to} was used in the stage "issue", so it must stay accepted: set {to: ${old.to}, stage: accept} to stay, or {to: ${old.to}, stage: issue} to continue`,
          },
        ]
      : [];
  });
}
