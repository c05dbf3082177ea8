import { TalosApiError } from "../../api/talosApiError";
import type { TalosClient } from "../../api/talosClient";

/** How long to read the stored events; the stream itself has no end. */
const READ_MS = 2_000;

/**
 * Talos' event when the waiting etcd is bootstrapped. Source: Talos v1.12.1, `BootstrapEtcd` of
 * internal/app/machined/pkg/system/services/etcd.go.
 */
const REQUESTED = "Bootstrap requested";

/**
 * Whether etcd was bootstrapped since the machine started, also by an interrupted run. A machine
 * that recovers a large snapshot looks like one that waits. Talos keeps its last 1000 events, so a
 * machine that has waited very long may have forgotten it.
 */
export async function wasBootstrapped(client: TalosClient, signal: AbortSignal): Promise<boolean> {
  try {
    const events = client.events({ tailEvents: -1 }, { signal, timeoutMs: READ_MS });
    for await (const { payload } of events) {
      if (
        payload.kind === "serviceState" &&
        payload.service === "etcd" &&
        payload.message === REQUESTED
      ) {
        return true;
      }
    }
    return false;
  } catch (error) {
    // A real machine may end the call as cancelled shortly before its deadline.
    const isOver =
      error instanceof TalosApiError && ["deadlineExceeded", "cancelled"].includes(error.code);
    if (isOver && !signal.aborted) {
      return false;
    }
    throw error;
  }
}
