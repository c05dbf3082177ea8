import {
  AUTHORITIES,
  type Authority,
  nameOf,
  position,
  type Rotation,
  ROTATION_STAGES,
  type RotationStep,
  stepAt,
} from "./rotation";

/** Why an authority can't go on as it is asked to. */
export interface RotationProblem {
  readonly authority: Authority;
  /** What is wrong, and the way out. */
  readonly reason: string;
}

/**
 * Judges a rotation by what has begun: it goes one stage on, or one back. Back is possible as machines of
 * neighbouring stages accept each other, whichever of the two comes first.
 *
 * @param begun the stages that machines may have, some of them; undefined for those of a cluster that was never rotated
 */
export function judgeBegun(
  begun: Rotation | undefined,
  wanted: Rotation | undefined,
): readonly RotationProblem[] {
  return judge(begun, wanted, (from, to) => Math.abs(to - from) <= 1);
}

/**
 * Judges a rotation by what every machine has reached: only from there it goes on. What was dropped everywhere
 * isn't taken up again, as nothing of it is left.
 *
 * @param complete the stages that all machines have; undefined for those of a cluster that was never rotated
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
  return AUTHORITIES.flatMap((authority) => {
    const count = ROTATION_STAGES[authority].length;
    const [from, to] = [before?.[authority], after?.[authority]];
    return isAllowed(position(authority, from), position(authority, to), count)
      ? []
      : [{ authority, reason: describe(authority, from, to) }];
  });
}

function describe(
  authority: Authority,
  from: RotationStep | undefined,
  to: RotationStep | undefined,
): string {
  const [at, wanted] = [position(authority, from), position(authority, to)];
  const isBack = wanted < at;
  const target = to === undefined ? "the first generation" : textOf(to);
  const place = from === undefined ? "was never rotated" : `has reached ${textOf(from)}`;
  const next = stepAt(authority, at + 1);
  const ways = [
    ...(from === undefined ? [] : [`${textOf(from)} to stay`]),
    ...(next === undefined ? [] : [`${textOf(next)} to go on`]),
  ].join(", or ");
  return isBack
    ? `${nameOf(authority)} ${place} and can't go back to ${target}, whose certificates machines may refuse: set ${ways}`
    : `${nameOf(authority)} ${place}, and ${target} leaves out what has to come first: set ${ways}, one "pulumi up" for each stage`;
}

function textOf({ to, stage }: RotationStep): string {
  return `{to: ${to}, stage: ${stage}}`;
}
