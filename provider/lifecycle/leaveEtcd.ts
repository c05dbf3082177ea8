import { TalosApiError } from "../api/talosApiError";
import type { TalosClient } from "../api/talosClient";
import { waitFor } from "../api/waitFor";
import type { Progress } from "../progress";
import type { Machine } from "./machine";
import { withMachine } from "./withMachine";

/** Talos goes on trying to leave for five minutes while etcd is not well (Talos v1.12.1). */
const LEAVE_TIMEOUT_MS = 330_000;

/**
 * Takes a machine's member out of etcd, so that the others don't count on it. The last member stays,
 * and a machine without one has nothing to do: one in maintenance mode, whose etcd was never
 * bootstrapped, or that has left before.
 *
 * @param deadline when to give up, in milliseconds since 1970
 * @throws TalosApiError when the machine, or etcd, refuses
 * @throws WaitTimeoutError at the deadline
 */
export function leaveEtcd(
  machine: Machine,
  deadline: number,
  { report }: Progress,
): Promise<undefined> {
  return waitFor<undefined>({
    what: `machine ${machine.node} to leave etcd`,
    deadlineMs: Math.max(0, deadline - Date.now()),
    report,
    probe: async ({ signal, remainingMs }) => {
      try {
        return await withMachine(machine, (client) => leave(client, signal, remainingMs));
      } catch (error) {
        if (error instanceof TalosApiError && error.code === "notConfigured") {
          return { done: true, value: undefined };
        }
        throw error;
      }
    },
  });
}

async function leave(client: TalosClient, signal: AbortSignal, remainingMs: number) {
  const etcd = (await client.services({ signal })).find(({ id }) => id === "etcd");
  // Before a machine has joined it is "Preparing"; once it has left, or on a worker, there is none.
  const isMember = etcd !== undefined && !["Preparing", "Finished"].includes(etcd.state);
  if (!isMember || (await client.etcdMembers({ signal })).length <= 1) {
    return { done: true, value: undefined } as const;
  }
  await client.etcdLeave({ signal, timeoutMs: Math.min(LEAVE_TIMEOUT_MS, remainingMs) });
  return { done: true, value: undefined } as const;
}
