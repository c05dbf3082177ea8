import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { type Machine, withMachine } from "../machine";

/** Calls to etcd hang while it has no leader. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * Waits until the etcd of a control plane machine is healthy and its member votes.
 *
 * @param deadline in milliseconds since 1970
 * @throws TalosApiError if the machine refuses
 * @throws WaitTimeoutError at the deadline
 */
export function awaitVoter(
  machine: Machine,
  deadline: number,
  { report }: Progress,
): Promise<undefined> {
  return waitFor<undefined>({
    what: `machine ${machine.node} to be a voting member of etcd`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report,
    probe: ({ signal }) =>
      withMachine(machine, async (client) => {
        const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
        const etcd = (await client.services(call)).find(({ id }) => id === "etcd");
        if (etcd?.state !== "Running" || !etcd.healthy) {
          const state = etcd?.state ?? "absent";
          const status = state === "Running" ? "etcd runs, but isn't healthy" : `etcd is ${state}`;
          return { done: false, status };
        }
        const { isLearner } = await client.etcdStatus(call);
        return isLearner
          ? { done: false, status: "its member doesn't vote yet" }
          : { done: true, value: undefined };
      }),
  });
}
