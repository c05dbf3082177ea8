import { randomBytes } from "node:crypto";
import { KubernetesStore } from "../kubernetes/kubernetesStore";

/** A member of an etcd cluster, whether its node runs or not. */
export interface EtcdMember {
  /** 64 bits, as etcd makes them. */
  readonly id: bigint;
  /** The node's host name at the time it joined. */
  readonly name: string;
  readonly peerUrl: string;
  readonly clientUrl: string;
  /** Has no vote yet. */
  readonly isLearner: boolean;
  /** Whether its etcd runs at the moment. */
  readonly isRunning: boolean;
}

/**
 * One etcd cluster and what is stored in it. It is as alive as its members: what is written stays
 * as long as the program runs, what is read needs a majority of the voting members to run.
 */
export class EtcdCluster {
  /** What the Kubernetes API servers of these members store. */
  readonly kubernetes: KubernetesStore;
  readonly #members = new Map<bigint, EtcdMember>();
  readonly #onChange: () => void;
  #raftIndex = 8;
  #raftTerm = 2;
  #leader: bigint | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.kubernetes = new KubernetesStore(() => this.#advance());
  }

  /** In the order they joined. */
  get members(): readonly EtcdMember[] {
    return [...this.#members.values()];
  }

  /** The member with the most senior vote that runs; without a majority there is none. */
  get leader(): EtcdMember | undefined {
    return this.#leader === undefined ? undefined : this.#members.get(this.#leader);
  }

  /** Counts what was written. */
  get raftIndex(): number {
    return this.#raftIndex;
  }

  /** Counts elections. */
  get raftTerm(): number {
    return this.#raftTerm;
  }

  /** Whether a majority of the voting members runs. */
  get hasQuorum(): boolean {
    const voters = this.members.filter(({ isLearner }) => !isLearner);
    return 2 * voters.filter(({ isRunning }) => isRunning).length > voters.length;
  }

  /** Whether one more learner may join: etcd takes one at a time and only with a majority. */
  get canAddLearner(): boolean {
    return this.hasQuorum && this.members.every(({ isLearner }) => !isLearner);
  }

  /** The member of that id, if it is still one. */
  member(id: bigint): EtcdMember | undefined {
    return this.#members.get(id);
  }

  /** Adds a running member at an address; the first one of a cluster votes at once. */
  add(name: string, address: string): EtcdMember {
    const member: EtcdMember = {
      id: randomBytes(8).readBigUInt64BE(),
      name,
      peerUrl: `https://${address}:2380`,
      clientUrl: `https://${address}:2379`,
      isLearner: this.#members.size > 0,
      isRunning: true,
    };
    this.#members.set(member.id, member);
    this.#advance();
    return member;
  }

  /** Changes what a member is; nothing happens if it is no member any more. */
  update(id: bigint, change: Partial<Pick<EtcdMember, "isLearner" | "isRunning">>): void {
    const member = this.#members.get(id);
    if (!member) return;
    this.#members.set(id, { ...member, ...change });
    this.#advance();
  }

  /** Removes a member; false if there is none of that id. */
  remove(id: bigint): boolean {
    const removed = this.#members.delete(id);
    if (removed) this.#advance();
    return removed;
  }

  #advance(): void {
    this.#raftIndex += 1;
    this.#elect();
    this.#onChange();
  }

  #elect(): void {
    const current = this.leader;
    if (current?.isRunning === true && !current.isLearner && this.hasQuorum) return;
    const next = this.hasQuorum
      ? this.members.find(({ isLearner, isRunning }) => isRunning && !isLearner)
      : undefined;
    if (next && this.#leader !== undefined && next.id !== this.#leader) this.#raftTerm += 1;
    this.#leader = next?.id;
  }
}
