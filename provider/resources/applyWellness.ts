import type { CheckFailure, PartialCreateError } from "../handler";
import { awaitWell, DEFAULT_SETTLED_SECONDS } from "../lifecycle/awaitWell";
import type { Acceptance, Delivery } from "../lifecycle/delivery";
import { isUnknown } from "../unknown";

/**
 * What is recorded of a machine's health with its configuration: `reached` when it was well with it,
 * `awaited` when it has taken it and has not been well since.
 */
export type Wellness = "reached" | "awaited";

/** What is wrong with the input `settledSeconds`. */
export function checkSettled(settledSeconds = DEFAULT_SETTLED_SECONDS): CheckFailure[] {
  if (isUnknown(settledSeconds) || (settledSeconds >= 0 && settledSeconds <= 3_600)) {
    return [];
  }
  const reason = `${settledSeconds} is no time to stay well: give 0 to 3600 seconds`;
  return [{ property: "settledSeconds", reason }];
}

/**
 * Waits until a machine is well with a configuration that it has; of a staged one there is nothing to wait
 * for.
 *
 * @param before what was recorded of its last one
 * @returns what to record; undefined for a machine that never was up
 * @throws WaitTimeoutError at the deadline
 */
export async function becomeWell(
  settledSeconds = DEFAULT_SETTLED_SECONDS,
  { machine, mode, deadline, progress }: Delivery,
  { wasRunning = false, missingBefore }: Acceptance,
  before?: Wellness,
): Promise<Wellness | undefined> {
  if (mode === "staged") {
    return before;
  }
  const wasUp = wasRunning || before !== undefined;
  const isUp = await awaitWell({
    ...{ machine, settledSeconds, wasUp, deadline, progress },
    missingBefore,
  });
  return isUp ? "reached" : undefined;
}

/**
 * What a partial error is made of when a machine has a configuration and isn't well with it.
 *
 * @param state what would be recorded if it were
 */
export function partly(
  error: unknown,
  machineId: string,
  state: object,
): ConstructorParameters<typeof PartialCreateError> {
  const message = error instanceof Error ? error.message : String(error);
  return [message, machineId, { ...state, wellness: "awaited" }, { cause: error }];
}
