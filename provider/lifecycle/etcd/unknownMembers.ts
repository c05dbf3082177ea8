import type { EtcdMember } from "../../api/etcdCalls";
import { type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";
import { peerAddresses } from "./etcdPeers";

/** A machine that is off must not delay the others for long. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * The members of etcd whose machines are none of these. A machine that has left etcd and keeps
 * running joins again at its next boot, because its data directory is empty (Talos v1.12.1,
 * `services/etcd.go`). Nobody waits for such a member, and it counts for the majority.
 *
 * @param machines every control plane machine that may have a member
 * @returns undefined if one of them doesn't tell its own member
 */
export async function findUnknownMembers(
  machines: readonly Machine[],
  signal: AbortSignal,
): Promise<readonly EtcdMember[] | undefined> {
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  const looks = await Promise.all(
    machines.map((machine) =>
      unlessSilent(
        withMachine(machine, (client) =>
          Promise.all([client.etcdMembers(call), client.etcdStatus(call)]),
        ),
      ),
    ),
  );
  const [first] = looks;
  const known = looks.map((look) => look?.[1].memberId);
  return first === undefined || known.includes(undefined)
    ? undefined
    : first[0].filter(({ id }) => !known.includes(id));
}

/**
 * What to do about a member without a known machine, as a warning.
 *
 * @param through a control plane machine that stays
 */
export function describeUnknownMember(member: EtcdMember, through: string): string {
  const [address = "?"] = peerAddresses(member);
  return (
    `etcd has the member ${member.hostname} (${address}), and its machine is none of this program's: it counts for the majority, and nothing waits for it. ` +
    `A machine that left etcd and keeps running joins again when it boots. Unless this run removes it, take it out with "talosctl -n ${address} reset". ` +
    `If it is gone, run "talosctl -n ${through} etcd remove-member ${BigInt(member.id).toString(16)}"`
  );
}
