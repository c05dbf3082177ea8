import { waitFor } from "../api/waitFor";
import { clock } from "../clock";
import type { Progress } from "../progress";
import { lookAtEtcdMembers } from "./lookAtEtcdMembers";
import { type Machine, withMachine } from "./machine";

/**
 * Waits until the etcd of a control plane machine is healthy, and every other member that it
 * reaches. Then any one of them may be stopped.
 *
 * @param deadline in milliseconds since 1970
 * @throws TalosApiError if the machine refuses
 * @throws WaitTimeoutError at the deadline, with the unhealthy members
 */
export function awaitEtcd(
  machine: Machine,
  deadline: number,
  { report }: Progress,
): Promise<undefined> {
  return waitFor<undefined>({
    what: `etcd to be healthy on ${machine.node} and all its other members`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report,
    probe: ({ signal }) =>
      withMachine(machine, async (client) => {
        const problems = await lookAtEtcdMembers(client, signal);
        return problems.length === 0
          ? { done: true, value: undefined }
          : { done: false, seen: problems.join("; ") };
      }),
  });
}
