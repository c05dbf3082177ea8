import { messageOfError } from "../../base/messageOfError";
import { isUnknown } from "../../base/unknown";
import type { CheckFailure, PartialCreateError } from "../../engine/handler";
import type { Acceptance, Delivery } from "../../lifecycle/delivery/delivery";
import { awaitHealthy, DEFAULT_SETTLED_SECONDS } from "../../lifecycle/health/awaitHealthy";

/**
 * The recorded health of a machine with its configuration. `reached`: it was healthy with it.
 * `awaited`: it has accepted it and was not healthy since. `unconfirmed`: a refresh found another
 * configuration or Talos on it, and its health was never recorded.
 */
export type RecordedHealth = "reached" | "awaited" | "unconfirmed";

/** Whether an update must wait for the machine's health, also if it changes nothing. */
export function isUnsettled(health: RecordedHealth | undefined): boolean {
  return health === "awaited" || health === "unconfirmed";
}

/** Whether the state knows that the machine was up once. */
export function wasUpOnce(health: RecordedHealth | undefined): boolean {
  return health === "reached" || health === "awaited";
}

/**
 * The health to record for a machine on which a refresh found another configuration or Talos than
 * recorded. A run that was killed may have changed it, and left its node cordoned. So the next
 * update waits for it and uncordons the node, also if the program wants just what was found.
 */
export function healthAfterDrift(before: RecordedHealth | undefined): RecordedHealth {
  return wasUpOnce(before) ? "awaited" : "unconfirmed";
}

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
export async function awaitRecordedHealth(
  settledSeconds = DEFAULT_SETTLED_SECONDS,
  { machine, mode, deadline, progress }: Delivery,
  { wasRunning = false, hadIt = false, missingBefore }: Acceptance,
  before?: RecordedHealth,
): Promise<RecordedHealth | undefined> {
  if (mode === "staged") {
    return wasUpOnce(before) ? "reached" : undefined;
  }
  const wasUp = wasRunning || wasUpOnce(before);
  const isUp = await awaitHealthy({
    machine,
    settledSeconds,
    wasUp,
    mayReboot: hadIt,
    deadline,
    progress,
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
  const message = messageOfError(error);
  return [message, machineId, { ...state, wellness: "awaited" }, { cause: error }];
}
