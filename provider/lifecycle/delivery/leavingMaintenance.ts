import { retryDecision } from "../../api/retryPolicy";
import { TalosApiError } from "../../api/talosApiError";
import { clock } from "../../base/clock";

/** How long a machine may take to leave maintenance mode: real ones took a second or two. */
const LEAVING_MS = 30_000;

/**
 * Follows a machine that leaves maintenance mode. From Talos v1.13 on, it already shows its
 * cluster's certificate then, and still takes every caller for a reader. So it denies an
 * administrator what no reader may do. Sources: Talos v1.14.1, `apid/pkg/provider` and
 * `runtime/api_service_config.go`; seen on real machines.
 */
export class LeavingMaintenance {
  private until: number | undefined;

  /** It may have got its configuration now. */
  begin(): void {
    this.until = clock.now() + LEAVING_MS;
  }

  /** Whether an error ends a wait: a denial may be one of those until half a minute after the last `begin`. */
  readonly isFatal = (error: unknown): boolean => {
    const isLeaving = this.until !== undefined && clock.now() < this.until;
    const isDenied = error instanceof TalosApiError && error.code === "permissionDenied";
    return !(isLeaving && isDenied) && !retryDecision(error).retry;
  };
}
