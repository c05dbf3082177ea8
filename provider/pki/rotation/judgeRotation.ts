import {
  nameOf,
  position,
  ROTATABLE_SECRETS,
  type RotatableSecret,
  type Rotation,
  ROTATION_STAGES,
  type RotationStep,
  stepAt,
} from "./rotation";

/** Why a secret can't move to a requested stage. */
export interface RotationProblem {
  readonly secret: RotatableSecret;
  /** The problem, and what to do. */
  readonly reason: string;
}

/**
 * Judges a rotation by the stages that have begun: only one step forward or back is allowed. Back
 * is possible because machines of neighbouring stages accept each other, in both directions.
 *
 * @param begun the stages that some machines may have; undefined for a cluster that was never
 *   rotated
 */
export function judgeBegun(
  begun: Rotation | undefined,
  wanted: Rotation | undefined,
): readonly RotationProblem[] {
  return judge(begun, wanted, (from, to) => Math.abs(to - from) <= 1);
}

/**
 * Judges a rotation by the stages that every machine has completed: only the next step is allowed.
 * A generation that was dropped everywhere can't be used again, because its keys are gone.
 *
 * @param complete the stages that all machines have; undefined for a cluster that was never rotated
 */
export function judgeComplete(
  complete: Rotation | undefined,
  wanted: Rotation | undefined,
): readonly RotationProblem[] {
  return judge(complete, wanted, (from, to, count) =>
    to < from ? from - to === 1 && from % count !== 0 : to - from <= 1,
  );
}

function judge(
  before: Rotation | undefined,
  after: Rotation | undefined,
  isAllowed: (from: number, to: number, count: number) => boolean,
): readonly RotationProblem[] {
  return ROTATABLE_SECRETS.flatMap((secret) => {
    const count = ROTATION_STAGES[secret].length;
    const [from, to] = [before?.[secret], after?.[secret]];
    return isAllowed(position(secret, from), position(secret, to), count)
      ? []
      : [{ secret, reason: describe(secret, from, to) }];
  });
}

function describe(
  secret: RotatableSecret,
  from: RotationStep | undefined,
  to: RotationStep | undefined,
): string {
  const [at, wanted] = [position(secret, from), position(secret, to)];
  const isBack = wanted < at;
  const target = to === undefined ? "the first generation" : textOf(to);
  const place = from === undefined ? "was never rotated" : `has reached ${textOf(from)}`;
  const next = stepAt(secret, at + 1);
  const ways = [
    ...(from === undefined ? [] : [`${textOf(from)} to stay`]),
    ...(next === undefined ? [] : [`${textOf(next)} to continue`]),
  ].join(", or ");
  return isBack
    ? `${nameOf(secret)} ${place} and can't go back to ${target}, whose certificates machines may refuse: set ${ways}`
    : `${nameOf(secret)} ${place}, and ${target} skips a stage: set ${ways}, one "pulumi up" for each stage`;
}

function textOf({ to, stage }: RotationStep): string {
  return `{to: ${to}, stage: ${stage}}`;
}
