import { status } from "@grpc/grpc-js";
import { RpcError } from "../rpc/rpcError";
import type { ServiceBoard } from "../machine/serviceBoard";
import { containerStarted } from "../machine/serviceCatalog";
import type { Timers } from "../machine/timers";
import { EtcdCluster, type EtcdMember } from "./etcdCluster";

/** What a node keeps on disk of etcd: whose member it is. */
export interface EtcdData {
  readonly cluster: EtcdCluster;
  readonly memberId: bigint;
}

/** What etcd on a node needs of that node. */
export interface EtcdHost {
  readonly services: ServiceBoard;
  readonly timers: Timers;
  /** How long etcd takes to start, and a learner to catch up. */
  readonly joinMs: number;
  readonly hostname: string;
  readonly privateAddress: string;
  /** etcd's data directory; `undefined` is an empty one. */
  data: EtcdData | undefined;
  /** Clusters the node can learn of from the other nodes of its Talos cluster. */
  findClusters(): readonly EtcdCluster[];
  /** Tells the world that membership changed. */
  changed(): void;
}

const service = "etcd";
const notEmpty = "etcd data directory is not empty";
const learnerHealth = "etcdserver: rpc not supported for learner";

/** Stopping an etcd that is just starting takes about ten times as long as starting it [observed: 10 s]. */
const stopFactor = 10;

/**
 * etcd on one control plane node: waits in `Preparing` until the node is bootstrapped or a member
 * of its cluster is found, joins as a learner, is promoted, and comes back from its data after a
 * reboot.
 */
export class EtcdService {
  readonly #host: EtcdHost;
  #state: "stopped" | "waiting" | "starting" | "joined" | "finished" = "stopped";
  #cancelStart: (() => void) | undefined;

  constructor(host: EtcdHost) {
    this.#host = host;
  }

  /** The cluster and this node's member of it while etcd runs. */
  get membership(): { readonly cluster: EtcdCluster; readonly member: EtcdMember } | undefined {
    const { data } = this.#host;
    if (this.#state !== "joined" || !data) return undefined;
    const member = data.cluster.member(data.memberId);
    return member && { cluster: data.cluster, member };
  }

  /** Starts as the node boots. */
  start(): void {
    const { services, data } = this.#host;
    services.transition(service, "Starting", "Starting service");
    services.transition(
      service,
      "Waiting",
      'Waiting for service "cri" to be "up", time sync, network, etcd spec',
    );
    services.transition(service, "Preparing", "Running pre state");
    this.#state = "waiting";
    if (data) {
      this.#run(data);
      data.cluster.update(data.memberId, { isRunning: true });
      this.#promoteLater(data);
    }
    this.evaluate();
  }

  /** Stops as the node goes down; the data stays. */
  stop(): void {
    this.#cancelStart?.();
    this.#state = "stopped";
    const { data } = this.#host;
    data?.cluster.update(data.memberId, { isRunning: false });
  }

  /** Looks at the world again: joins a cluster that can be joined, follows the health of its own. */
  evaluate(): void {
    if (this.#state === "waiting") this.#tryToJoin();
    const { membership } = this;
    if (!membership) return;
    const { cluster, member } = membership;
    const failure = member.isLearner
      ? learnerHealth
      : cluster.hasQuorum
        ? undefined
        : "context deadline exceeded";
    this.#host.services.checked(service, failure);
  }

  /**
   * Makes this node the first member of a new cluster; it runs `joinMs` later.
   *
   * Raises `ALREADY_EXISTS` where etcd has data. Asked again while etcd is starting it does what
   * Talos does: stops it, raises `UNKNOWN` and leaves etcd finished until the next reboot. A node
   * that waits to join an existing cluster is bootstrapped into a second one.
   */
  async bootstrap(): Promise<void> {
    const { services, timers, joinMs } = this.#host;
    if (this.#host.data) throw new RpcError(status.ALREADY_EXISTS, notEmpty);
    if (this.#state === "starting") {
      await this.#spoilStart();
      throw new RpcError(status.UNKNOWN, notEmpty);
    }
    services.transition(service, "Finished", "Bootstrap requested");
    services.transition(service, "Starting", "Starting service");
    services.transition(service, "Preparing", "Running pre state");
    this.#state = "starting";
    this.#cancelStart = timers.after(joinMs, () => this.#found());
  }

  /** Leaves the cluster for good, as a node that is reset does; its data is gone. */
  leave(): void {
    const { data, services } = this.#host;
    this.#cancelStart?.();
    this.#host.data = undefined;
    this.#state = "finished";
    services.transition(service, "Finished", "Service finished successfully");
    data?.cluster.remove(data.memberId);
  }

  async #spoilStart(): Promise<void> {
    const { services, timers, joinMs } = this.#host;
    this.#cancelStart?.();
    this.#state = "finished";
    services.transition(service, "Stopping", "Sending SIGTERM to task etcd");
    await timers.delay(joinMs * stopFactor);
    this.#host.data = this.#newCluster();
    this.#host.data.cluster.update(this.#host.data.memberId, { isRunning: false });
    services.transition(service, "Finished", "Service finished successfully");
  }

  #found(): void {
    const data = this.#newCluster();
    this.#host.data = data;
    this.#run(data);
    this.evaluate();
    this.#host.changed();
  }

  #newCluster(): EtcdData {
    const cluster = new EtcdCluster(() => this.#host.changed());
    const { hostname, privateAddress } = this.#host;
    return { cluster, memberId: cluster.add(hostname, privateAddress).id };
  }

  #tryToJoin(): void {
    const cluster = this.#host.findClusters().find((candidate) => candidate.canAddLearner);
    if (!cluster) return;
    const { hostname, privateAddress } = this.#host;
    const data = { cluster, memberId: cluster.add(hostname, privateAddress).id };
    this.#host.data = data;
    this.#run(data);
    this.#promoteLater(data);
  }

  #promoteLater(data: EtcdData): void {
    if (data.cluster.member(data.memberId)?.isLearner !== true) return;
    this.#host.timers.after(this.#host.joinMs, () => {
      data.cluster.update(data.memberId, { isLearner: false });
      this.evaluate();
    });
  }

  #run(data: EtcdData): void {
    const { services } = this.#host;
    if (!data.cluster.member(data.memberId)) {
      // Removed by the others while it was down: etcd exits and is tried again, in vain.
      services.transition(service, "Failed", "the member has been permanently removed");
      this.#state = "finished";
      return;
    }
    services.transition(service, "Preparing", "Creating service runner");
    services.transition(service, "Running", containerStarted(service));
    this.#state = "joined";
  }
}
