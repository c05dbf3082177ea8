import type { CheckFailure, PartialCreateError } from "../handler";
import { awaitWell, DEFAULT_SETTLED_SECONDS } from "../lifecycle/awaitWell";
import type { Acceptance, Delivery } from "../lifecycle/delivery";
import { isUnknown } from "../unknown";

/**
 * The recorded health of a machine with its configuration. `reached`: it was healthy with it.
 * `awaited`: it has accepted it and was not healthy since.
 */
export type Wellness = "reached" | "awaited";

/** The problem of the input `settledSeconds`. */
export function checkSettled(settledSeconds = DEFAULT_SETTLED_SECONDS): CheckFailure[] {
  if (isUnknown(settledSeconds) || (settledSeconds >= 0 && settledSeconds <= 3_600)) {
    return [];
  }
  const reason = `${settledSeconds} is no valid time to stay healthy: give 0 to 3600 seconds`;
  return [{ property: "settledSeconds", reason }];
}

/**
 * Waits until a machine is healthy with its configuration. A staged configuration needs no wait.
 *
 * @param before the recorded health with its last configuration
 * @returns the health to record; undefined for a machine that was never up
 * @throws WaitTimeoutError at the deadline
 */
export async function awaitRecordedWellness(
  settledSeconds = DEFAULT_SETTLED_SECONDS,
  { machine, mode, deadline, progress }: Delivery,
  { wasRunning = false, hadIt = false, missingBefore }: Acceptance,
  before?: Wellness,
): Promise<Wellness | undefined> {
  if (mode === "staged") {
    return before;
  }
  const wasUp = wasRunning || before !== undefined;
  const isUp = await awaitWell({
    ...{ machine, settledSeconds, wasUp, mayReboot: hadIt, deadline, progress },
    missingBefore,
  });
  return isUp ? "reached" : undefined;
}

/**
 * The arguments of a partial error, for a machine that has its configuration and isn't healthy with
 * it.
 *
 * @param state the state that would be recorded if it were healthy
 */
export function partly(
  error: unknown,
  machineId: string,
  state: object,
): ConstructorParameters<typeof PartialCreateError> {
  const message = error instanceof Error ? error.message : String(error);
  return [message, machineId, { ...state, wellness: "awaited" }, { cause: error }];
}
