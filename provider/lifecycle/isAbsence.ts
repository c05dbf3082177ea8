import { TalosApiError } from "../api/talosApiError";
import { isSilence } from "./isSilence";

/**
 * Whether an error means that no machine of the cluster is at an address: nobody answers, or somebody
 * who has no configuration, or a stranger, who got the address after it was given back.
 */
export function isAbsence(error: unknown): error is TalosApiError {
  return (
    isSilence(error) ||
    (error instanceof TalosApiError && ["notConfigured", "wrongCluster"].includes(error.code))
  );
}
