import type { TalosClient } from "../../api/talosClient";
import { type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";

/** Calls to etcd hang while it has no leader. An election takes about a second. */
const LOOK_TIMEOUT_MS = 5_000;

/** States of an etcd that has data. Source: Talos v1.12.1, `events.ServiceState`. */
const HOLDING: readonly string[] = ["Running", "Failed"];

/** So many members of etcd are lost that it can't elect a leader. Waiting doesn't bring it back. */
export class EtcdMajorityLostError extends Error {
  override readonly name = "EtcdMajorityLostError";

  constructor() {
    super(
      `etcd has lost its majority: no member that answers finds a leader, so none can be removed or added. ` +
        `If other control plane machines are only stopped, start them, and run the command again. If they are lost, restore etcd ` +
        `from a snapshot with "talos-aws restore <stack> --from <snapshot>"; without a snapshot, destroy the stack and create it again`,
    );
  }
}

/**
 * Looks whether etcd has a leader on any of some machines.
 *
 * @throws EtcdMajorityLostError if machines have data of etcd, and none of them has a leader
 */
export async function requireMajority(
  machines: readonly Machine[],
  signal: AbortSignal,
): Promise<void> {
  const looks = await Promise.all(machines.map((machine) => look(machine, signal)));
  if (looks.includes("leaderless") && !looks.includes("led")) {
    throw new EtcdMajorityLostError();
  }
}

async function look(
  machine: Machine,
  signal: AbortSignal,
): Promise<"led" | "leaderless" | undefined> {
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  const asked = async (client: TalosClient) => {
    const etcd = (await client.services(call)).find(({ id }) => id === "etcd");
    if (!HOLDING.includes(etcd?.state ?? "")) {
      return undefined;
    }
    const members = await unlessSilent(client.etcdMembers(call));
    return members === undefined ? ("leaderless" as const) : ("led" as const);
  };
  return unlessSilent(withMachine(machine, asked));
}
