import { TalosApiError } from "../api/talosApiError";

/** Whether an error means that no machine answered: it is off, restarts or is gone. */
export function isSilence(error: unknown): error is TalosApiError {
  return (
    error instanceof TalosApiError &&
    (error.code === "unreachable" || error.code === "deadlineExceeded")
  );
}
