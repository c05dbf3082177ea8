import { TalosApiError } from "../api/talosApiError";

/** Whether an error means that nobody answered, as of a machine that is off, restarts or is gone. */
export function isSilence(error: unknown): error is TalosApiError {
  return (
    error instanceof TalosApiError &&
    (error.code === "unreachable" || error.code === "deadlineExceeded")
  );
}
