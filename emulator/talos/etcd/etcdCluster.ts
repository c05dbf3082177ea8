import { randomBytes } from "node:crypto";
import { KubernetesStore, type RestoredObjects } from "../kubernetes/kubernetesStore";
import { areInTouch, type EtcdTrust } from "./etcdTrust";
import { etcdMinorOf } from "./etcdVersion";

/** A member of an etcd cluster, running or not. */
export interface EtcdMember {
  /** 64 bits, as etcd makes them. */
  readonly id: bigint;
  /** The node's host name at the time it joined. */
  readonly name: string;
  readonly peerUrl: string;
  readonly clientUrl: string;
  /** Whether it doesn't vote yet. */
  readonly isLearner: boolean;
  /** Whether its etcd runs at the moment. */
  readonly isRunning: boolean;
  /** Its CAs; undefined without any, as in tests. */
  readonly trust: EtcdTrust | undefined;
  /** The version of its server: `3.6.7`. */
  readonly version: string;
}

/** How a member starts. */
export interface EtcdStart {
  readonly trust?: EtcdTrust | undefined;
  readonly version: string;
}

/** A member's id as etcd and Talos print it. */
export function hexId(id: bigint): string {
  return id.toString(16).padStart(16, "0");
}

/** Why etcd v3.6.7 does not remove a member (`mayRemoveMember`, `IsReadyToRemoveVotingMember`). */
export type RemovalRefusal =
  | "etcdserver: member not found"
  | "etcdserver: re-configuration failed due to not enough started members"
  | "etcdserver: unhealthy cluster";

/** An alarm of etcd: a full disk, or a member with different data. */
export interface EtcdAlarm {
  readonly memberId: bigint;
  readonly alarm: "NOSPACE" | "CORRUPT";
}

/** The number of 4 KiB pages in an empty database (observed: 24 576 bytes). */
const EMPTY_PAGES = 6;
const PAGE_BYTES = 4096;

/**
 * One etcd cluster and its data. The data lives as long as the program. Reads need a majority of running
 * voters.
 */
export class EtcdCluster {
  /** The objects of these members' Kubernetes API servers. */
  readonly kubernetes: KubernetesStore;
  private readonly currentMembers = new Map<bigint, EtcdMember>();
  private readonly onChange: () => void;
  /** Active alarms. */
  alarms: readonly EtcdAlarm[] = [];
  private currentRaftIndex = 8;
  private currentRaftTerm = 2;
  private currentLeader: bigint | undefined;
  private currentMinor: number | undefined;

  /** Creates an empty cluster, or one with a snapshot's data. */
  constructor(onChange: () => void, restored?: RestoredObjects) {
    this.onChange = onChange;
    this.kubernetes = new KubernetesStore(
      {
        // Only nodes affect machines; other objects don't matter to the world.
        written: (what) => (what === "node" ? this.advance() : (this.currentRaftIndex += 1)),
        isWritable: () => this.hasQuorum,
      },
      restored,
    );
  }

  /** In the order they joined. */
  get members(): readonly EtcdMember[] {
    return [...this.currentMembers.values()];
  }

  /** The leader: the running member that has voted longest. Undefined without a majority. */
  get leader(): EtcdMember | undefined {
    return this.currentLeader === undefined
      ? undefined
      : this.currentMembers.get(this.currentLeader);
  }

  /** The used bytes of the database. */
  get bytesInUse(): number {
    return (EMPTY_PAGES + 2 * this.kubernetes.nodes.length) * PAGE_BYTES;
  }

  /**
   * The minor of the version that the members have agreed on; undefined before the first decision.
   * It is that of the oldest member, is decided only while all of them answer, and never goes back.
   * The storage of each member follows it. Source: etcd v3.7.1, `etcdserver/version/monitor.go`.
   */
  get minor(): number | undefined {
    return this.currentMinor;
  }

  /** Counts writes. */
  get raftIndex(): number {
    return this.currentRaftIndex;
  }

  /** Counts elections. */
  get raftTerm(): number {
    return this.currentRaftTerm;
  }

  /** Whether a majority of the voting members runs and can talk to each other. */
  get hasQuorum(): boolean {
    return this.members.some((member) => this.canLead(member));
  }

  /** Whether a member can talk to the leader, if there is one. */
  isInTouch(id: bigint): boolean {
    const { leader } = this;
    return leader === undefined || areInTouch(leader.trust, this.currentMembers.get(id)?.trust);
  }

  /** Whether one more learner may join: etcd takes one at a time, and only while every voter runs. */
  get canAddLearner(): boolean {
    return (
      this.hasQuorum && this.members.every(({ isLearner, isRunning }) => !isLearner && isRunning)
    );
  }

  /** etcd's reason to refuse the removal of a member. Undefined when it allows it. */
  refusalToRemove(id: bigint, askedBy: bigint): RemovalRefusal | undefined {
    const member = this.currentMembers.get(id);
    if (!member) {
      return "etcdserver: member not found";
    }
    if (member.isLearner) {
      return undefined;
    }
    const voters = this.members.filter(({ isLearner }) => !isLearner);
    // Every voter was started once, so only the last one can't be removed.
    if (voters.length === 1) {
      return "etcdserver: re-configuration failed due to not enough started members";
    }
    if (id !== askedBy && !member.isRunning) {
      return undefined;
    }
    const running = voters.filter(({ isRunning }) => isRunning).length;
    return running - 1 < 1 + Math.floor((voters.length - 1) / 2)
      ? "etcdserver: unhealthy cluster"
      : undefined;
  }

  /** Makes the next voter the leader and returns it; `undefined` without another voter. */
  moveLeader(): EtcdMember | undefined {
    const { leader } = this;
    const next = this.members.find(
      ({ id, isLearner, isRunning }) => id !== leader?.id && !isLearner && isRunning,
    );
    if (!leader || !next) {
      return undefined;
    }
    this.currentLeader = next.id;
    this.currentRaftTerm += 1;
    this.advance();
    return next;
  }

  /** The current member with that id. */
  member(id: bigint): EtcdMember | undefined {
    return this.currentMembers.get(id);
  }

  /**
   * Removes a member with a name, unless etcd refuses. Talos does this before it joins, so that a
   * machine replaces a former one of the same name. Source: Talos v1.12.1,
   * internal/app/machined/pkg/system/services/etcd.go, `addMember`.
   */
  removeNamesake(name: string): void {
    const namesake = this.members.find((member) => member.name === name);
    if (namesake && this.hasQuorum && this.refusalToRemove(namesake.id, 0n) === undefined) {
      this.remove(namesake.id);
    }
  }

  /** Adds a running member at an address. The first member of a cluster votes at once. */
  add(name: string, address: string, { trust, version }: EtcdStart): EtcdMember {
    const member: EtcdMember = {
      id: randomBytes(8).readBigUInt64BE(),
      name,
      peerUrl: `https://${address}:2380`,
      clientUrl: `https://${address}:2379`,
      isLearner: this.currentMembers.size > 0,
      isRunning: true,
      trust,
      version,
    };
    this.currentMembers.set(member.id, member);
    this.advance();
    return member;
  }

  /** Changes a member. Does nothing for a former member. */
  update(
    id: bigint,
    change: Partial<Pick<EtcdMember, "isLearner" | "isRunning" | "trust" | "version">>,
  ): void {
    const member = this.currentMembers.get(id);
    if (!member) {
      return;
    }
    this.currentMembers.set(id, { ...member, ...change });
    this.advance();
  }

  /** Removes a member. Returns false when no member has that id. */
  remove(id: bigint): boolean {
    const removed = this.currentMembers.delete(id);
    if (removed) {
      this.advance();
    }
    return removed;
  }

  private advance(): void {
    this.currentRaftIndex += 1;
    this.elect();
    this.decideVersion();
    this.kubernetes.wake();
    this.onChange();
  }

  private decideVersion(): void {
    if (this.hasQuorum && this.members.every(({ isRunning }) => isRunning)) {
      const oldest = Math.min(...this.members.map(({ version }) => etcdMinorOf(version)));
      this.currentMinor = Math.max(oldest, this.currentMinor ?? 0);
    }
  }

  private canLead(member: EtcdMember): boolean {
    const voters = this.members.filter(({ isLearner }) => !isLearner);
    const others = voters.filter(
      ({ isRunning, trust }) => isRunning && areInTouch(member.trust, trust),
    );
    return member.isRunning && !member.isLearner && 2 * others.length > voters.length;
  }

  private elect(): void {
    const current = this.leader;
    if (current !== undefined && this.canLead(current)) {
      return;
    }
    const next = this.members.find((member) => this.canLead(member));
    if (next && this.currentLeader !== undefined && next.id !== this.currentLeader) {
      this.currentRaftTerm += 1;
    }
    this.currentLeader = next?.id;
  }
}
