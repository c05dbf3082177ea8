import type { TalosClient } from "../../api/talosClient";
import { waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { type Machine, withMachine } from "../machine";
import { lookAtEtcdMembers, lookBeforeRestart } from "./lookAtEtcdMembers";

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
  progress: Progress,
): Promise<undefined> {
  const what = `etcd to be healthy on ${machine.node} and all its other members`;
  return untilNoProblem(what, machine, lookAtEtcdMembers, deadline, progress);
}

/**
 * Waits until a machine may restart: a control plane machine waits for every other member of etcd.
 *
 * @param deadline in milliseconds since 1970
 * @throws TalosApiError if the machine refuses
 * @throws WaitTimeoutError at the deadline, with the unhealthy members
 */
export function awaitRestart(
  machine: Machine,
  deadline: number,
  progress: Progress,
): Promise<undefined> {
  const what = `etcd's other members to be healthy, before machine ${machine.node} restarts`;
  return untilNoProblem(what, machine, lookBeforeRestart, deadline, progress);
}

function untilNoProblem(
  what: string,
  machine: Machine,
  look: (client: TalosClient, signal: AbortSignal) => Promise<readonly string[]>,
  deadline: number,
  { report }: Progress,
): Promise<undefined> {
  return waitFor<undefined>({
    what,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report,
    probe: ({ signal }) =>
      withMachine(machine, async (client) => {
        const problems = await look(client, signal);
        return problems.length === 0
          ? { done: true, value: undefined }
          : { done: false, status: problems.join("; ") };
      }),
  });
}
