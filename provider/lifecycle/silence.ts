import { TalosApiError } from "../api/talosApiError";

/** Whether an error means that no machine answered: it is off, restarts or is gone. */
export function isSilence(error: unknown): error is TalosApiError {
  return (
    error instanceof TalosApiError &&
    (error.code === "unreachable" || error.code === "deadlineExceeded")
  );
}

/**
 * Whether an error means that no machine of the cluster is at an address. Nobody answers there, or
 * an unconfigured or foreign machine that got the address later.
 */
export function isAbsence(error: unknown): error is TalosApiError {
  return (
    isSilence(error) ||
    (error instanceof TalosApiError && ["notConfigured", "wrongCluster"].includes(error.code))
  );
}

/** A machine's answer; undefined if it doesn't answer. For questions whose answer is optional. */
export async function unlessSilent<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TalosApiError) {
      return undefined;
    }
    throw error;
  }
}
