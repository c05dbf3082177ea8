import type { CallOptions } from "./callOptions";
import type { EtcdMemberAlarm__Output } from "./gen/machine/EtcdMemberAlarm";
import type { EtcdStatus__Output } from "./gen/machine/EtcdStatus";
import type { NodeCalls, Reach } from "./nodeCalls";
import { protocol } from "./protocol";

/** A member of the etcd cluster. */
export interface EtcdMember {
  /** 64 bits as a decimal number; etcd's own tools show it in hexadecimal. */
  id: string;
  hostname: string;
  peerUrls: string[];
  clientUrls: string[];
  /** True until it has caught up and votes. */
  isLearner: boolean;
}

/** The status of a member of etcd. */
export interface EtcdMemberStatus {
  /** Like `EtcdMember.id`. */
  memberId: string;
  /** The id of the leader; `0` without one. */
  leaderId: string;
  isLearner: boolean;
  /** The version of the server, for example `3.6.7`. */
  version: string;
  /** The version of its data, for example `3.6.0`; empty if it is older than etcd 3.6. */
  storageVersion: string;
  dbSizeBytes: number;
  /** The part of it that contains data. */
  dbSizeInUseBytes: number;
  raftTerm: number;
  raftIndex: number;
  /** The errors that it reports. */
  errors: string[];
}

/** An alarm of a member. */
export interface EtcdAlarm {
  memberId: string;
  alarm: "NONE" | "NOSPACE" | "CORRUPT";
}

/**
 * Calls to etcd on control plane nodes; `unimplemented` on workers. While etcd is down or has no
 * quorum, all of them wait until their deadline (Talos v1.12.1).
 */
export function etcdCalls<R extends Reach>(nodes: NodeCalls<R>) {
  const machine = protocol.machine.MachineService.service;
  return {
    /** The members of etcd as the node sees them. */
    etcdMembers: (call?: CallOptions) =>
      nodes.ask(machine.EtcdMemberList, {}, ({ members }): EtcdMember[] => members, call),

    /** The status of the node's own member. */
    etcdStatus: (call?: CallOptions) => nodes.ask(machine.EtcdStatus, {}, toStatus, call),

    /**
     * Removes the member of a machine that is gone. A running machine leaves with `etcdLeave`.
     * `notFound` if no member has that id.
     */
    etcdRemoveMember: (id: string, call?: CallOptions) =>
      nodes.ask(machine.EtcdRemoveMemberByID, { memberId: id }, () => undefined, call),

    /**
     * Removes the node's own member and stops its etcd. Only a reset machine can join again. A
     * bootstrap on this machine would create a second cluster.
     */
    etcdLeave: (call?: CallOptions) =>
      nodes.ask(machine.EtcdLeaveCluster, {}, () => undefined, call),

    /** The alarms of all members. */
    etcdAlarms: (call?: CallOptions) =>
      nodes.ask(
        machine.EtcdAlarmList,
        {},
        ({ memberAlarms }): EtcdAlarm[] => memberAlarms.map(toAlarm),
        call,
      ),
  };
}

function toStatus({ memberStatus: member }: EtcdStatus__Output): EtcdMemberStatus {
  if (!member) {
    throw new Error("the reply holds no status");
  }
  return {
    memberId: member.memberId,
    leaderId: member.leader,
    isLearner: member.isLearner,
    version: member.protocolVersion,
    storageVersion: member.storageVersion,
    dbSizeBytes: Number(member.dbSize),
    dbSizeInUseBytes: Number(member.dbSizeInUse),
    raftTerm: Number(member.raftTerm),
    raftIndex: Number(member.raftIndex),
    errors: member.errors,
  };
}

function toAlarm({ memberId, alarm }: EtcdMemberAlarm__Output): EtcdAlarm {
  return { memberId, alarm };
}
