import { setTimeout } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { EtcdAlarm, EtcdCluster } from "../etcd/etcdCluster";
import type { EtcdService } from "../etcd/etcdService";
import { writeSnapshot } from "../etcd/etcdSnapshot";
import { etcdMinorOf } from "../etcd/etcdVersion";
import { type CallContext, type Method, serverStream, unary } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { chunksOf } from "./chunks";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/**
 * Methods for etcd on a control plane node (talos v1.12.1, `v1alpha1_server.go`; refusals have
 * etcd's messages).
 */
export function etcdMethods({ state }: MethodContext): Method[] {
  const onControlPlane = (name: string): EtcdService => {
    if (!state.etcd) {
      throw new RpcError(status.UNIMPLEMENTED, `${name} is only available on control plane nodes`);
    }
    return state.etcd;
  };
  const membership = (name: string, { signal }: CallContext) =>
    etcdMembership(onControlPlane(name), signal);
  return [
    unary(service.EtcdMemberList, async (_, context) => {
      const { cluster } = await membership("member list", context);
      return { messages: [memberList(cluster)] };
    }),
    unary(service.EtcdStatus, async (_, context) => {
      const { cluster, member, data } = await membership("etcd status", context);
      data.databaseBytes = Math.max(data.databaseBytes, cluster.bytesInUse);
      return {
        messages: [
          {
            memberStatus: {
              memberId: `${member.id}`,
              protocolVersion: member.version,
              storageVersion: `3.${cluster.minor ?? etcdMinorOf(member.version)}.0`,
              dbSize: `${data.databaseBytes}`,
              dbSizeInUse: `${cluster.bytesInUse}`,
              leader: `${cluster.leader?.id ?? 0}`,
              raftIndex: `${cluster.raftIndex}`,
              raftTerm: `${cluster.raftTerm}`,
              raftAppliedIndex: `${cluster.raftIndex}`,
              errors: cluster.alarms.map(
                ({ memberId, alarm }) => `memberID:${memberId} alarm:${alarm} `,
              ),
              isLearner: member.isLearner,
            },
          },
        ],
      };
    }),
    unary(service.EtcdRemoveMemberByID, async ({ memberId }, context) => {
      const { cluster, member } = await membership("etcd remove member", context);
      const refusal = cluster.refusalToRemove(BigInt(memberId), member.id);
      if (refusal !== undefined) {
        const text = `failed to remove member ${memberId}: ${refusal}`;
        throw refusal === "etcdserver: member not found"
          ? new RpcError(status.NOT_FOUND, text)
          : new RpcError(status.UNKNOWN, `failed to remove member: ${text}`);
      }
      cluster.remove(BigInt(memberId));
      return { messages: [{}] };
    }),
    unary(service.EtcdLeaveCluster, async (_, context) => {
      await membership("etcd leave", context);
      await state.etcd?.leave(context.signal);
      return { messages: [{}] };
    }),
    unary(service.EtcdForfeitLeadership, async (_, context) => {
      const { cluster, member } = await membership("etcd forfeit leadership", context);
      if (cluster.members.length === 1) {
        throw new RpcError(
          status.UNKNOWN,
          "failed to forfeit leadership: cannot forfeit leadership, only one member",
        );
      }
      const next = cluster.leader?.id === member.id ? cluster.moveLeader() : undefined;
      return { messages: [{ member: next?.name ?? "" }] };
    }),
    serverStream(service.EtcdSnapshot, async function* (_, context) {
      const { cluster } = await membership("etcd snapshot", context);
      for (const bytes of chunksOf(writeSnapshot(cluster))) {
        yield { bytes };
      }
    }),
    unary(service.EtcdDefragment, async (_, context) => {
      const { cluster, data } = await membership("etcd defragment", context);
      data.databaseBytes = cluster.bytesInUse;
      return { messages: [{}] };
    }),
    unary(service.EtcdAlarmList, async (_, context) => {
      const { cluster } = await membership("etcd alarm list", context);
      return { messages: [{ memberAlarms: cluster.alarms.map(alarmMessage) }] };
    }),
    unary(service.EtcdAlarmDisarm, async (_, context) => {
      const { cluster } = await membership("etcd alarm list", context);
      const disarmed = cluster.alarms;
      cluster.alarms = [];
      return { messages: [{ memberAlarms: disarmed.map(alarmMessage) }] };
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

function alarmMessage({ memberId, alarm }: EtcdAlarm) {
  return { memberId: `${memberId}`, alarm };
}

const RETRY_MS = 20;

/**
 * Waits until the node's etcd runs and has a majority. machined retries without a limit, so a call ends only
 * at its deadline, with `DEADLINE_EXCEEDED`.
 */
export async function etcdMembership(etcd: EtcdService, signal: AbortSignal) {
  for (;;) {
    const current = etcd.membership;
    if (current?.cluster.hasQuorum === true) {
      return current;
    }
    try {
      await setTimeout(RETRY_MS, undefined, { signal });
    } catch {
      throw new RpcError(status.DEADLINE_EXCEEDED, "context deadline exceeded");
    }
  }
}
