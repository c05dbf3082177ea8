import { TalosApiError } from "../api/talosApiError";
import type { TalosClient } from "../api/talosClient";
import { type ProbeResult, waitFor } from "../api/waitFor";
import { clock } from "../clock";
import type { Progress } from "../progress";
import type { EtcdMachine } from "./etcdMachine";
import { findEtcdMember } from "./findEtcdMember";
import { isAbsence } from "./isAbsence";
import { isOtherInstance } from "./isOtherInstance";
import type { Machine } from "./machine";
import { SilentMachine } from "./silentMachine";
import { withMachine } from "./withMachine";

/** Talos goes on trying to leave for five minutes while etcd is not well (Talos v1.12.1). */
const LEAVE_TIMEOUT_MS = 330_000;

/**
 * A machine that is off must not hold up the others. After some 10 s a real apid that forwards to a dead
 * machine ends the call as cancelled, which would count as the end of the wait (seen on Talos v1.12.1).
 */
const LOOK_TIMEOUT_MS = 5_000;

const LEFT = { done: true, value: undefined } as const;

/**
 * Takes a machine's member out of etcd, so that the others don't count on it. The last member stays,
 * and a machine without one has nothing to do: one in maintenance mode, whose etcd was never
 * bootstrapped, or that has left before.
 *
 * A machine that is gone is asked for at those that stay. Where they don't know of it there is nothing
 * to do; where they reach it, it leaves through them; and where they don't for half a minute either,
 * one of them takes its member out, with a warning. What answers as another instance is never asked to
 * leave.
 *
 * @param staying control plane machines that stay; without one a machine that is silent is waited for
 * @param deadline when to give up, in milliseconds since 1970
 * @param goneMs how long a machine must have been silent to count as gone
 * @throws TalosApiError when the machine, or etcd, refuses
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
        const seen = `it answers neither here nor machine ${through.node}: soon its member is taken out of etcd`;
        return { done: false, seen };
      }
      await silent.takeOut(member, through, signal, progress);
      return LEFT;
    },
  });
}

/** What became of asking a machine to leave; the error of one that isn't there. */
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

/** What is left to say of a machine when nobody else can. */
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
  // Before a machine has joined it is "Preparing"; once it has left, or on a worker, there is none.
  const isMember = etcd !== undefined && !["Preparing", "Finished"].includes(etcd.state);
  if (isMember && (await client.etcdMembers(call)).length > 1) {
    await client.etcdLeave({ signal, timeoutMs: Math.min(LEAVE_TIMEOUT_MS, remainingMs) });
  }
  return "left";
}
