import { status } from "@grpc/grpc-js";
import { RpcError } from "../rpc/rpcError";
import type { ServiceBoard } from "../machine/serviceBoard";
import { beginStart, serviceRecipes, startedText, stopService } from "../machine/serviceCatalog";
import type { Timers } from "../machine/timers";
import { EtcdCluster, type EtcdMember } from "./etcdCluster";
import { readSnapshot } from "./etcdSnapshot";

/** What a node keeps on disk of etcd: whose member it is. */
export interface EtcdData {
  readonly cluster: EtcdCluster;
  readonly memberId: bigint;
  /** Size of the database file, which shrinks only when it is defragmented. */
  databaseBytes: number;
}

/** What etcd on a node needs of that node. */
export interface EtcdHost {
  readonly services: ServiceBoard;
  readonly timers: Pick<Timers, "after" | "delay">;
  /** How long etcd takes to start, and a learner to catch up. */
  readonly joinMs: number;
  readonly hostname: string;
  readonly privateAddress: string;
  /** etcd's data directory; `undefined` is an empty one. */
  data: EtcdData | undefined;
  /** Clusters the node can learn of from the other nodes of its Talos cluster. */
  findClusters(): readonly EtcdCluster[];
  /** What keeps it from working, in the words of its health check; `undefined` if nothing does. */
  failure(): string | undefined;
  /** Tells the world that membership changed. */
  changed(): void;
}

/** Recovery from the snapshot that was uploaded before. */
export interface EtcdRecovery {
  /** Takes a copy of a data directory too, which has no checksum. */
  readonly skipHashCheck: boolean;
}

const { etcd: recipe } = serviceRecipes;
const service = recipe.id;
const notEmpty = "etcd data directory is not empty";
const learnerHealth = "etcdserver: rpc not supported for learner";

/** Stopping an etcd that is just starting takes about ten times as long as starting it [observed: 10 s]. */
const stopFactor = 10;
/** Leaving a cluster that is not well is tried again every 10 s for 5 min; a start of a second stands for that. */
const leaveRetryFactor = 10;
const leaveTries = 30;

/**
 * etcd on one control plane node: waits in `Preparing` until the node is bootstrapped or a member
 * of its cluster is found, joins as a learner, is promoted, and comes back from its data after a
 * reboot.
 */
export class EtcdService {
  /** What was uploaded to recover from; used up by the recovery. */
  snapshot: Buffer | undefined;
  readonly #host: EtcdHost;
  #state: "stopped" | "waiting" | "starting" | "joined" | "finished" = "stopped";
  #cancelStart: (() => void) | undefined;
  #hasCaughtUp = false;

  constructor(host: EtcdHost) {
    this.#host = host;
  }

  /** The cluster and this node's member of it while etcd runs. */
  get membership():
    | { readonly cluster: EtcdCluster; readonly member: EtcdMember; readonly data: EtcdData }
    | undefined {
    const { data } = this.#host;
    if (this.#state !== "joined" || !data) return undefined;
    const member = data.cluster.member(data.memberId);
    return member && { cluster: data.cluster, member, data };
  }

  /** Starts as the node boots. */
  start(): void {
    const { services, data } = this.#host;
    beginStart(services, recipe);
    services.transition(service, "Preparing", "Running pre state");
    this.#state = "waiting";
    if (data) {
      this.#run(data);
      data.cluster.update(data.memberId, { isRunning: true });
      this.#catchUp(data);
    }
    this.evaluate();
  }

  /** Stops during a shutdown. The data stays. */
  stop(): void {
    this.#cancelStart?.();
    this.#state = "stopped";
    const { data } = this.#host;
    data?.cluster.update(data.memberId, { isRunning: false });
  }

  /** Looks at the world again: joins a cluster that can be joined, follows the health of its own. */
  evaluate(): void {
    if (this.#state === "waiting") this.#tryToJoin();
    if (this.#state !== "joined") return;
    const { membership } = this;
    if (!membership) {
      this.#removed();
      return;
    }
    const { cluster, member } = membership;
    if (member.isLearner && this.#hasCaughtUp && cluster.hasQuorum) {
      cluster.update(member.id, { isLearner: false });
      return;
    }
    const quorumFailure = cluster.hasQuorum ? undefined : "context deadline exceeded";
    const failure = member.isLearner ? learnerHealth : quorumFailure;
    this.#host.services.checked(service, this.#host.failure() ?? failure);
  }

  /**
   * Makes this node the first member of a new cluster, empty or as the uploaded snapshot has it; it
   * runs `joinMs` later.
   *
   * Throws `ALREADY_EXISTS` where etcd has data. Asked again while etcd is starting it does what
   * Talos does: stops it, raises `UNKNOWN` and leaves etcd finished until the next reboot. A node
   * that waits to join an existing cluster is bootstrapped into a second one.
   */
  async bootstrap(recovery?: EtcdRecovery): Promise<void> {
    const { services, timers, joinMs } = this.#host;
    if (this.#host.data) throw new RpcError(status.ALREADY_EXISTS, notEmpty);
    if (this.#state === "starting") {
      await this.#spoilStart();
      throw new RpcError(status.UNKNOWN, notEmpty);
    }
    stopService(services, recipe);
    services.transition(service, "Finished", "Bootstrap requested");
    // Bootstrap is another service of the same name: the history of the one that waited is gone.
    services.remove(service);
    beginStart(services, recipe);
    services.transition(service, "Preparing", "Running pre state");
    this.#state = "starting";
    this.#cancelStart = timers.after(joinMs, () => this.#found(recovery));
  }

  /**
   * Leaves the cluster for good, as a node that is reset does; its data is gone. A cluster that is
   * not well is waited for, for long. Throws an `Error` in etcd's words where etcd refuses.
   */
  async leave(signal: AbortSignal): Promise<void> {
    const { data, services, timers, joinMs } = this.#host;
    if (!data || (this.#state !== "joined" && this.#state !== "starting")) return;
    for (let tried = 1; ; tried += 1) {
      const refusal = data.cluster.refusalToRemove(data.memberId, data.memberId);
      if (refusal === undefined || refusal === "etcdserver: member not found") break;
      if (refusal !== "etcdserver: unhealthy cluster" || tried >= leaveTries || signal.aborted) {
        throw new Error(
          `failed to leave cluster: failed to remove member ${data.memberId}: ${refusal}`,
        );
      }
      await timers.delay(joinMs * leaveRetryFactor);
    }
    this.#cancelStart?.();
    data.cluster.update(data.memberId, { isRunning: false });
    data.cluster.remove(data.memberId);
    this.#host.data = undefined;
    this.#state = "finished";
    stopService(services, recipe);
  }

  async #spoilStart(): Promise<void> {
    const { services, timers, joinMs } = this.#host;
    this.#cancelStart?.();
    this.#state = "finished";
    services.transition(service, "Stopping", `Sending SIGTERM to task ${service}`);
    await timers.delay(joinMs * stopFactor);
    this.#host.data = this.#newCluster();
    this.#host.data.cluster.update(this.#host.data.memberId, { isRunning: false });
    services.transition(service, "Finished", "Service finished successfully");
  }

  #found(recovery: EtcdRecovery | undefined): void {
    try {
      this.#host.data = this.#newCluster(recovery);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#state = "finished";
      this.#host.services.transition(service, "Failed", `Failed to run pre stage: ${reason}`);
      return;
    }
    this.#run(this.#host.data);
    this.evaluate();
    this.#host.changed();
  }

  #newCluster(recovery?: EtcdRecovery): EtcdData {
    const restored = recovery && readSnapshot(this.snapshot, recovery);
    if (recovery) this.snapshot = undefined;
    const cluster = new EtcdCluster(() => this.#host.changed(), restored);
    return this.#join(cluster);
  }

  #join(cluster: EtcdCluster): EtcdData {
    const { hostname, privateAddress } = this.#host;
    const { id } = cluster.add(hostname, privateAddress);
    return { cluster, memberId: id, databaseBytes: cluster.bytesInUse };
  }

  #tryToJoin(): void {
    const clusters = this.#host.findClusters();
    clusters.forEach((each) => each.removeNamesake(this.#host.hostname));
    const cluster = clusters.find(({ canAddLearner }) => canAddLearner);
    if (!cluster) return;
    const data = this.#join(cluster);
    this.#host.data = data;
    this.#run(data);
    this.#catchUp(data);
  }

  /** A learner catches up after a while. Then it gets its vote, which needs a majority. */
  #catchUp(data: EtcdData): void {
    if (data.cluster.member(data.memberId)?.isLearner !== true) return;
    this.#host.timers.after(this.#host.joinMs, () => {
      this.#hasCaughtUp = true;
      this.evaluate();
    });
  }

  #run(data: EtcdData): void {
    const { services } = this.#host;
    services.transition(service, "Preparing", "Creating service runner");
    services.transition(service, "Running", startedText(recipe));
    this.#state = "joined";
    // Removed by the others while it was down.
    if (!data.cluster.member(data.memberId)) this.#removed();
  }

  /** A member that the others removed exits, and is started again and again, in vain. */
  #removed(): void {
    this.#state = "finished";
    this.#host.services.transition(
      service,
      "Waiting",
      'Error running Containerd(etcd), going to restart forever: task "etcd" failed: exit code 1',
    );
  }
}
