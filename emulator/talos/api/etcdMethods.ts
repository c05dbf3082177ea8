import { setTimeout } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import type { EtcdCluster, EtcdMember } from "../etcd/etcdCluster";
import { unary, type CallContext, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Versions of etcd v3.6.7, which Talos v1.12.1 runs, as it reports them. */
const protocolVersion = "3.6.7";
const storageVersion = "3.6.0";
/** What a database that holds next to nothing takes. */
const databaseBytes = "24576";
const retryMs = 20;

/** What a control plane node tells of etcd. */
export function etcdMethods({ state }: MethodContext): Method[] {
  const requireControlPlane = (name: string) => {
    if (!state.etcd) {
      throw new RpcError(status.UNIMPLEMENTED, `${name} is only available on control plane nodes`);
    }
  };
  const membership = async ({ signal }: CallContext) => {
    for (;;) {
      const current = state.etcd?.membership;
      if (current?.cluster.hasQuorum === true) return current;
      await pause(signal);
    }
  };
  return [
    unary(service.EtcdMemberList, async (_, context) => {
      requireControlPlane("member list");
      const { cluster } = await membership(context);
      return { messages: [memberList(cluster)] };
    }),
    unary(service.EtcdStatus, async (_, context) => {
      requireControlPlane("etcd status");
      const { cluster, member } = await membership(context);
      return { messages: [{ memberStatus: memberStatus(cluster, member) }] };
    }),
    unary(service.EtcdRemoveMemberByID, async ({ memberId }, context) => {
      requireControlPlane("etcd remove member");
      const { cluster } = await membership(context);
      if (!cluster.remove(BigInt(memberId))) {
        throw new RpcError(
          status.NOT_FOUND,
          `failed to remove member ${memberId}: etcdserver: member not found`,
        );
      }
      return { messages: [{}] };
    }),
    unary(service.EtcdLeaveCluster, async (_, context) => {
      requireControlPlane("etcd leave");
      await membership(context);
      state.etcd?.leave();
      return { messages: [{}] };
    }),
  ];
}

function memberList(cluster: EtcdCluster) {
  const members = [...cluster.members].sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    legacyMembers: members.map(({ name }) => name),
    members: members.map((member) => ({
      id: `${member.id}`,
      hostname: member.name,
      peerUrls: [member.peerUrl],
      clientUrls: [member.clientUrl],
      isLearner: member.isLearner,
    })),
  };
}

function memberStatus(cluster: EtcdCluster, member: EtcdMember) {
  return {
    memberId: `${member.id}`,
    protocolVersion,
    storageVersion,
    dbSize: databaseBytes,
    dbSizeInUse: databaseBytes,
    leader: `${cluster.leader?.id ?? 0}`,
    raftIndex: `${cluster.raftIndex}`,
    raftTerm: `${cluster.raftTerm}`,
    raftAppliedIndex: `${cluster.raftIndex}`,
    isLearner: member.isLearner,
  };
}

/**
 * machined tries to reach etcd again and again: while etcd is not up or has no majority, a call ends
 * only when its caller gives up.
 */
async function pause(signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(retryMs, undefined, { signal });
  } catch {
    throw new RpcError(status.DEADLINE_EXCEEDED, "context deadline exceeded");
  }
}
