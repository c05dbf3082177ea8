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

/** How one member of etcd is. */
export interface EtcdMemberStatus {
  /** Like `EtcdMember.id`. */
  memberId: string;
  /** The member that leads; `0` if there is none. */
  leaderId: string;
  isLearner: boolean;
  /** Of the server, such as `3.6.7`. */
  version: string;
  dbSizeBytes: number;
  /** What of it holds data. */
  dbSizeInUseBytes: number;
  raftTerm: number;
  raftIndex: number;
  /** What it complains about. */
  errors: string[];
}

/** An alarm that a member has raised. */
export interface EtcdAlarm {
  memberId: string;
  alarm: "NONE" | "NOSPACE" | "CORRUPT";
}

/**
 * etcd, as control plane nodes have it; `unimplemented` on workers. While etcd is not up or has no
 * quorum all of them wait until their deadline (Talos v1.12.1).
 */
export function etcdCalls<R extends Reach>(nodes: NodeCalls<R>) {
  const machine = protocol.machine.MachineService.service;
  return {
    /** The members of etcd as the node sees them. */
    etcdMembers: (call?: CallOptions) =>
      nodes.ask(machine.EtcdMemberList, {}, ({ members }): EtcdMember[] => members, call),

    /** How the node's own member is. */
    etcdStatus: (call?: CallOptions) => nodes.ask(machine.EtcdStatus, {}, toStatus, call),

    /**
     * Takes a member out, for one whose machine is gone. A machine that still runs leaves with
     * `etcdLeave`. `notFound` if there is none of that id.
     */
    etcdRemoveMember: (id: string, call?: CallOptions) =>
      nodes.ask(machine.EtcdRemoveMemberByID, { memberId: id }, () => undefined, call),

    /**
     * Takes the node's own member out and stops its etcd. Only a reset machine joins again, and a
     * bootstrap on this one would found a second cluster.
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
  if (!member) throw new Error("the reply holds no status");
  return {
    memberId: member.memberId,
    leaderId: member.leader,
    isLearner: member.isLearner,
    version: member.protocolVersion,
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
