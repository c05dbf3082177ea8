import { setTimeout as pause } from "node:timers/promises";
import { type EtcdLook, lookAtEtcd } from "../../provider/lifecycle";
import type { RestoredMachine } from "./restoreTarget";

/** How long etcd must wait to count as empty: etcd with data starts at once. */
const QUIET_MS = 3_000;

const INTERVAL_MS = 1_000;

/**
 * Checks a machine until the state of its etcd is clear. One that starts or doesn't answer may be
 * restarting, and is checked again for a while.
 *
 * @param patienceMs the limit of that
 */
export async function awaitLook(
  machine: RestoredMachine,
  patienceMs: number,
  signal: AbortSignal,
): Promise<EtcdLook> {
  const end = Date.now() + patienceMs;
  let waitingSince: number | undefined;
  for (;;) {
    const look = await lookAtEtcd(machine, signal);
    const now = Date.now();
    waitingSince = look.kind === "waiting" ? (waitingSince ?? now) : undefined;
    const isQuiet = waitingSince !== undefined && now - waitingSince >= QUIET_MS;
    if (isQuiet || look.kind === "holding" || look.kind === "unconfigured") {
      return look;
    }
    if (look.kind !== "waiting" && now >= end) {
      return look;
    }
    await pause(INTERVAL_MS, undefined, { signal });
  }
}
