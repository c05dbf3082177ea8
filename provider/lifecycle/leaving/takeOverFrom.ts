import { TalosApiError } from "../../api/talosApiError";
import type { TalosClient } from "../../api/talosClient";
import { type ProbeResult, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { requireMajority } from "../etcd/etcdMajority";
import { discoveredPeers } from "../etcd/etcdPeers";
import { findEtcdMember } from "../etcd/findEtcdMember";
import { type EtcdMachine, type Machine, withMachine } from "../machine";
import { isAbsence } from "../silence";
import { isOtherInstance } from "./isOtherInstance";
import { SilentMachine } from "./silentMachine";

/** A machine that is off must not delay the check of the others. */
const LOOK_TIMEOUT_MS = 5_000;

/** The machine before: it still answers, or it is gone and out of etcd. */
export type Predecessor = "there" | "gone";

const there = { done: true, value: "there" } as const;
const gone = { done: true, value: "gone" } as const;

/**
 * Makes room in etcd for a control plane machine that replaces another one. Etcd accepts no new
 * member, not even a learner, while one has no connection (etcd v3.6, `mayAddMember`). In a trial,
 * v3.6.6 refused at once after a member was killed, and accepted while one was only frozen.
 *
 * A predecessor that answers stays, and leaves when its successor has joined. One that is silent for
 * half a minute is gone: another machine, given or discovered by the successor, removes its member,
 * with a warning. If no machine knows such a member, nothing is left to do, for example in a restored
 * cluster of one machine.
 *
 * @param successor runs its configuration, and need not be in etcd
 * @param known other control plane machines, asked before those that the successor has discovered
 * @param deadline in milliseconds since 1970
 * @param goneMs how long the predecessor must be silent to count as gone
 * @throws TalosApiError if etcd refuses to remove the member
 * @throws EtcdMajorityLostError if no machine can tell, because etcd has no leader
 * @throws WaitTimeoutError at the deadline
 */
export function takeOverFrom(
  predecessor: EtcdMachine,
  successor: Machine,
  known: readonly Machine[],
  deadline: number,
  progress: Progress,
  goneMs?: number,
): Promise<Predecessor> {
  const silent = new SilentMachine(predecessor.node, goneMs);
  return waitFor<Predecessor>({
    what: `machine ${predecessor.node} to be out of etcd`,
    deadlineMs: Math.max(0, deadline - clock.now()),
    report: progress.report,
    probe: async ({ signal }): Promise<ProbeResult<Predecessor>> => {
      const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
      const isThere = async (machine: Machine): Promise<boolean> => {
        const look = async (client: TalosClient) =>
          !(await isOtherInstance(client, predecessor.machineId, call));
        try {
          return await withMachine(machine, look);
        } catch (error) {
          // A real apid reports a call that it forwards to a dead machine as cancelled.
          const isCutOff =
            error instanceof TalosApiError && error.code === "cancelled" && !signal.aborted;
          if (isCutOff || isAbsence(error)) {
            return false;
          }
          throw error;
        }
      };
      if (await isThere(predecessor)) {
        return there;
      }
      const peers = await withMachine(successor, (client) => discoveredPeers(client, call));
      const others = [...known, ...peers.map((node) => ({ ...successor, node }))];
      const found = await findEtcdMember(predecessor, others, signal);
      if (found !== undefined) {
        const { member, forwarded } = found;
        if (member === undefined) {
          return gone;
        }
        if (await isThere(forwarded)) {
          return there;
        }
      }
      if (!silent.isGone()) {
        return { done: false, status: "it doesn't answer, and another machine replaces it" };
      }
      if (found === undefined) {
        await requireMajority(others, signal);
      }
      if (found?.member !== undefined) {
        await silent.removeMember(found.member, found.through, signal, progress);
      }
      return gone;
    },
  });
}
