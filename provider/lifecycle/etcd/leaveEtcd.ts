import { TalosApiError } from "../../api/talosApiError";
import type { TalosClient } from "../../api/talosClient";
import { type ProbeResult, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { isOtherInstance } from "../leaving/isOtherInstance";
import { SilentMachine } from "../leaving/silentMachine";
import { type EtcdMachine, type Machine, withMachine } from "../machine";
import { isAbsence } from "../silence";
import { findEtcdMember } from "./findEtcdMember";

/** Talos tries to leave for five minutes while etcd is not healthy (Talos v1.12.1). */
const LEAVE_TIMEOUT_MS = 330_000;

/**
 * A machine that is off must not delay the others. After some 10 s, a real apid that forwards to a
 * dead machine ends the call as cancelled (observed on Talos v1.12.1). That would end the wait.
 */
const LOOK_TIMEOUT_MS = 5_000;

const LEFT = { done: true, value: undefined } as const;

/**
 * Removes a machine's member from etcd, so that the others don't count on it. The last member
 * stays. A machine without a member has nothing to do: it is in maintenance mode, was never
 * bootstrapped, or has left before.
 *
 * A lost machine is looked up at the machines that stay. If they don't know its member, nothing is
 * left to do. If they reach the machine, it leaves through them. If they don't reach it for half a
 * minute either, one of them removes its member, with a warning. A different instance at the
 * address is never asked to leave.
 *
 * @param staying control plane machines that stay; without one, a silent machine is waited for
 * @param deadline in milliseconds since 1970
 * @param goneMs how long a machine must be silent to count as gone
 * @throws TalosApiError if the machine, or etcd, refuses
 * @throws WaitTimeoutError at the deadline
 */
export function leaveEtcd(
  machine: EtcdMachine,
  staying: readonly Machine[],
  deadline: number,
  progress: Progress,
  goneMs?: number,
): Promise<undefined> {
  const silent = new SilentMachine(machine.node, goneMs);
  return waitFor<undefined>({
    what: `machine ${machine.node} to leave etcd`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    probe: async ({ signal, remainingMs }): Promise<ProbeResult<undefined>> => {
      const leave = (client: TalosClient) =>
        leaveBy(client, machine.machineId, signal, remainingMs);
      const direct = await unlessAbsent(withMachine(machine, leave), signal);
      if (direct === "left") {
        return LEFT;
      }
      const found = await findEtcdMember(machine, staying, signal);
      if (found === undefined) {
        return withoutOthers(direct);
      }
      const { member, forwarded, through } = found;
      if (member === undefined) {
        return LEFT;
      }
      const answer = await unlessAbsent(withMachine(forwarded, leave), signal);
      if (answer === "left" || answer === "other") {
        return LEFT;
      }
      if (!silent.isGone()) {
        const status = `neither this computer nor machine ${through.node} reaches it: its member will soon be removed from etcd`;
        return { done: false, status };
      }
      await silent.removeMember(member, through, signal, progress);
      return LEFT;
    },
  });
}

/** The result of asking a machine to leave; the error if it isn't there. */
type Attempt = "left" | "other" | TalosApiError;

async function unlessAbsent(attempt: Promise<Attempt>, signal: AbortSignal): Promise<Attempt> {
  try {
    return await attempt;
  } catch (error) {
    const isCutOff =
      error instanceof TalosApiError && error.code === "cancelled" && !signal.aborted;
    if (isCutOff || isAbsence(error)) {
      return error;
    }
    throw error;
  }
}

/** The result if no other machine can tell. */
function withoutOthers(direct: Attempt): ProbeResult<undefined> {
  if (direct instanceof TalosApiError && direct.code !== "notConfigured") {
    throw direct;
  }
  return LEFT;
}

async function leaveBy(
  client: TalosClient,
  machineId: string,
  signal: AbortSignal,
  remainingMs: number,
): Promise<Attempt> {
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  if (await isOtherInstance(client, machineId, call)) {
    return "other";
  }
  const etcd = (await client.services(call)).find(({ id }) => id === "etcd");
  // Before it has joined, etcd is "Preparing". After it has left, it is "Finished". A worker has no
  // etcd.
  const isMember = etcd !== undefined && !["Preparing", "Finished"].includes(etcd.state);
  if (isMember && (await client.etcdMembers(call)).length > 1) {
    await client.etcdLeave({ signal, timeoutMs: Math.min(LEAVE_TIMEOUT_MS, remainingMs) });
  }
  return "left";
}
