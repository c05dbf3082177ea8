import type { LogBook } from "../runtime/logBook";
import type { Timers } from "./timers";

/** A pull that fails each time. */
export interface FailingPull {
  readonly image: string;
  /** What containerd says. */
  readonly failure: string;
  readonly timers: Pick<Timers, "after">;
  readonly logs: Pick<LogBook, "talos">;
  /** How long after a failure Talos starts a program again. Real: 5 s. */
  readonly rerunMs: number;
}

/**
 * Talos tries an image that no registry has six times, and one whose registry doesn't answer for 20
 * minutes. Here these multiples of a rerun.
 */
const RERUNS = { missing: 6, unreachable: 240 } as const;

/**
 * Lets Talos pull an image before it starts a service, in vain. Until it gives up, only a line of its
 * own log says so, once for each different error. Sources: talos v1.12.1,
 * `internal/pkg/containers/image/image.go`; siderolabs/go-retry v0.3.3, `retry/retry.go`.
 *
 * @param giveUp called with the error when Talos doesn't try again
 * @returns cancels it
 */
export function pullInVain(
  { image, failure, timers, logs, rerunMs }: FailingPull,
  giveUp: (error: string) => void,
): () => void {
  const error = `failed to pull image "${image}": ${failure}`;
  logs.talos(`retrying error: ${error}`);
  const reruns = failure.endsWith(": not found") ? RERUNS.missing : RERUNS.unreachable;
  return timers.after(rerunMs * reruns, () => giveUp(error));
}
