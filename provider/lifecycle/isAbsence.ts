import { TalosApiError } from "../api/talosApiError";
import { isSilence } from "./silence";

/**
 * Whether an error means that no machine of the cluster is at an address: no answer, or an
 * unconfigured or foreign machine that got the address later.
 */
export function isAbsence(error: unknown): error is TalosApiError {
  return (
    isSilence(error) ||
    (error instanceof TalosApiError && ["notConfigured", "wrongCluster"].includes(error.code))
  );
}
