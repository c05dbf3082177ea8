import { setTimeout as pause } from "node:timers/promises";
import { type EtcdLook, lookAtEtcd } from "../../provider/lifecycle/lookAtEtcd";
import type { RestoredMachine } from "./restoreTarget";

/** How long etcd must be seen waiting to have no data: one that has some starts at once. */
const QUIET_MS = 3_000;

/** Pause between two looks at a machine. */
const INTERVAL_MS = 1_000;

/**
 * Looks at machines until each says clearly how its etcd is. One that starts, or doesn't answer, may be
 * restarting, and is looked at again for a while.
 *
 * @param patienceMs for how long
 */
export function awaitLooks(
  machines: readonly RestoredMachine[],
  patienceMs: number,
  signal: AbortSignal,
): Promise<readonly EtcdLook[]> {
  const end = Date.now() + patienceMs;
  return Promise.all(
    machines.map(async (machine) => {
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
    }),
  );
}
