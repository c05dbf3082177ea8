import type { WhenBlocked } from "../../provider";
import { WHEN_BLOCKED } from "../../provider/lifecycle";
import { checkWord, wholeNumber } from "../argumentChecks";
import { type PropertyProblem, within } from "../problems";

/**
 * How a node is drained before its machine is upgraded, restarted for its configuration, or
 * removed. PodDisruptionBudgets are respected.
 */
export interface NodeDrainArgs {
  /** How long the drain may take. Seconds. Default: 300. */
  readonly timeoutSeconds?: number;
  /**
   * What happens if pods can't leave in time. `fail` stops before the machine is touched, and the
   * next `pulumi up` tries again. `proceed` warns and ends the pods, whatever their budgets say.
   * Default: `fail`.
   */
  readonly whenBlocked?: WhenBlocked;
}

/** All problems of one. */
export function checkNodeDrain({
  timeoutSeconds,
  whenBlocked,
}: NodeDrainArgs = {}): PropertyProblem[] {
  return within("drain", [
    ...wholeNumber("timeoutSeconds", timeoutSeconds, 1, 86_400),
    ...checkWord("whenBlocked", whenBlocked, WHEN_BLOCKED),
  ]);
}
