import type { EtcdMember } from "../../api/etcdCalls";
import { type EtcdMachine, type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";
import { peerAddresses } from "./etcdPeers";

/** A machine that is off must not delay the question to the next. */
const LOOK_TIMEOUT_MS = 5_000;

/** What another machine knows about a machine's member. */
export interface FoundEtcdMember {
  /** Undefined if it isn't in etcd. */
  readonly member: EtcdMember | undefined;
  /** The machine, reached through the one that answered. */
  readonly forwarded: Machine;
  /** The machine that answered. */
  readonly through: Machine;
}

/**
 * Asks other machines, one after another, whether a machine is a member of etcd. Undefined if none
 * can tell, because they are silent or know the machine by an unrecorded address.
 */
export async function findEtcdMember(
  { node, privateAddress }: EtcdMachine,
  others: readonly Machine[],
  signal: AbortSignal,
): Promise<FoundEtcdMember | undefined> {
  const address = privateAddress ?? node;
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  for (const through of others) {
    const members = await unlessSilent(withMachine(through, (client) => client.etcdMembers(call)));
    const member = members?.find((each) => peerAddresses(each).includes(address));
    if (members !== undefined && (member !== undefined || privateAddress !== undefined)) {
      return { member, forwarded: { ...through, node: address }, through };
    }
  }
  return undefined;
}
