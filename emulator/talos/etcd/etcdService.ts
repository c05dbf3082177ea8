import { status } from "@grpc/grpc-js";
import { messageOfError } from "../../../provider/base";
import type { EtcdFacts } from "../config/componentFacts";
import type { ServiceBoard } from "../machine/serviceBoard";
import { beginStart, serviceRecipes, startedText, stopService } from "../machine/serviceCatalog";
import type { Timers } from "../machine/timers";
import { RpcError } from "../rpc/rpcError";
import type { LogBook } from "../runtime/logBook";
import { EtcdCluster, type EtcdMember } from "./etcdCluster";
import { readSnapshot } from "./etcdSnapshot";
import { giveUp, keepCrashing, startProblem } from "./etcdStart";
import type { EtcdTrust } from "./etcdTrust";
import { downgradeProblem, etcdVersionOf } from "./etcdVersion";

/** etcd's data on a node's disk: the cluster and the member. */
export interface EtcdData {
  readonly cluster: EtcdCluster;
  readonly memberId: bigint;
  /** Size of the database file, which shrinks only by defragmentation. */
  databaseBytes: number;
}

/** The node's interface for etcd. */
export interface EtcdHost {
  readonly services: ServiceBoard;
  readonly timers: Pick<Timers, "after" | "delay">;
  readonly logs: Pick<LogBook, "talos">;
  /** How long etcd takes to start, and a learner to catch up. */
  readonly joinMs: number;
  /** How long after a failure of the program Talos starts it again. Real: 5 s. */
  readonly rerunMs: number;
  readonly hostname: string;
  readonly privateAddress: string;
  /** etcd's data directory; `undefined` if it is empty. */
  data: EtcdData | undefined;
  /** The CAs in its configuration. */
  trust(): EtcdTrust | undefined;
  /** Its image and flags in the configuration of this moment. It reads them when it starts. */
  facts(): EtcdFacts;
  /** Clusters that other nodes of its Talos cluster are members of, and that it can talk to. */
  findClusters(): readonly EtcdCluster[];
  /** Why it doesn't work, as the message of its health check; `undefined` if it does. */
  failure(): string | undefined;
  /** Reports a change of the membership. */
  changed(): void;
}

/** Options of a recovery from the uploaded snapshot. */
export interface EtcdRecovery {
  /** Whether a copy of a data directory is accepted, which has no checksum. */
  readonly skipHashCheck: boolean;
}

const { etcd: recipe } = serviceRecipes;
const service = recipe.id;
const NOT_EMPTY = "etcd data directory is not empty";
const LEARNER_HEALTH = "etcdserver: rpc not supported for learner";

/** Stopping an etcd that is just starting takes about ten times as long as starting it [observed: 10 s]. */
const STOP_FACTOR = 10;
/**
 * Leaving an unhealthy cluster is retried every 10 s for 5 min. Here that is a multiple of the
 * start time.
 */
const LEAVE_RETRY_FACTOR = 10;
const LEAVE_TRIES = 30;

/**
 * etcd on a control plane node. It waits in `Preparing` until the node is bootstrapped or a member
 * of its cluster is found. Then it joins as a learner and is promoted. After a reboot it starts
 * from its data. A changed image or flag counts from its next start on, and Talos restarts it only
 * with the machine.
 */
export class EtcdService {
  /** The uploaded snapshot; the recovery consumes it. */
  snapshot: Buffer | undefined;
  private readonly host: EtcdHost;
  private state: "stopped" | "waiting" | "starting" | "joined" | "finished" = "stopped";
  private cancelStart: (() => void) | undefined;
  private hasCaughtUp = false;

  constructor(host: EtcdHost) {
    this.host = host;
  }

  /** The cluster and this node's member of it while etcd runs. */
  get membership():
    | { readonly cluster: EtcdCluster; readonly member: EtcdMember; readonly data: EtcdData }
    | undefined {
    const { data } = this.host;
    if (this.state !== "joined" || !data) {
      return undefined;
    }
    const member = data.cluster.member(data.memberId);
    return member && { cluster: data.cluster, member, data };
  }

  /** Starts as the node boots. */
  start(): void {
    const { services, data } = this.host;
    beginStart(services, recipe);
    services.transition(service, "Preparing", "Running pre state");
    if (this.hasFailed()) {
      return;
    }
    this.state = "waiting";
    if (data) {
      this.run(data);
      this.catchUp(data);
    }
    this.evaluate();
  }

  /** Stops during a shutdown. The data stays. */
  stop(): void {
    this.cancelStart?.();
    this.state = "stopped";
    const { data } = this.host;
    data?.cluster.update(data.memberId, { isRunning: false });
  }

  /** Checks the world again: joins a cluster if possible, and follows the health of its own. */
  evaluate(): void {
    if (this.state === "waiting") {
      this.tryToJoin();
    }
    if (this.state !== "joined") {
      return;
    }
    const { membership } = this;
    if (!membership) {
      this.removed();
      return;
    }
    const { cluster, member } = membership;
    this.followIssuer(cluster, member);
    if (member.isLearner && this.hasCaughtUp && cluster.hasQuorum) {
      cluster.update(member.id, { isLearner: false });
      return;
    }
    const takesPart = cluster.hasQuorum && cluster.isInTouch(member.id);
    const quorumFailure = takesPart ? undefined : "context deadline exceeded";
    const failure = member.isLearner ? LEARNER_HEALTH : quorumFailure;
    this.host.services.checked(service, this.host.failure() ?? failure);
  }

  /**
   * Makes this node the first member of a new cluster, empty or with the uploaded snapshot; it runs
   * `joinMs` later.
   *
   * Throws `ALREADY_EXISTS` if etcd has data. A second call while etcd is starting does the same as
   * in Talos. It stops etcd, raises `UNKNOWN`, and leaves etcd finished until the next reboot. A
   * node that waits to join an existing cluster creates a second one.
   */
  async bootstrap(recovery?: EtcdRecovery): Promise<void> {
    const { services, timers, joinMs } = this.host;
    if (this.host.data) {
      throw new RpcError(status.ALREADY_EXISTS, NOT_EMPTY);
    }
    if (this.state === "starting") {
      await this.spoilStart();
      throw new RpcError(status.UNKNOWN, NOT_EMPTY);
    }
    stopService(services, recipe);
    services.transition(service, "Finished", "Bootstrap requested");
    // Bootstrap is a separate service of the same name, so the history of the waiting one is lost.
    services.remove(service);
    beginStart(services, recipe);
    services.transition(service, "Preparing", "Running pre state");
    this.state = "starting";
    this.cancelStart = timers.after(joinMs, () => this.found(recovery));
  }

  /**
   * Leaves the cluster permanently, as a reset node does, and deletes its data. It waits long for
   * an unhealthy cluster. Throws an `Error` with etcd's message if etcd refuses.
   */
  async leave(signal: AbortSignal): Promise<void> {
    const { data, services, timers, joinMs } = this.host;
    if (!data || (this.state !== "joined" && this.state !== "starting")) {
      return;
    }
    for (let tried = 1; ; tried += 1) {
      const refusal = data.cluster.refusalToRemove(data.memberId, data.memberId);
      if (refusal === undefined || refusal === "etcdserver: member not found") {
        break;
      }
      if (refusal !== "etcdserver: unhealthy cluster" || tried >= LEAVE_TRIES || signal.aborted) {
        throw new Error(
          `failed to leave cluster: failed to remove member ${data.memberId}: ${refusal}`,
        );
      }
      await timers.delay(joinMs * LEAVE_RETRY_FACTOR);
    }
    this.cancelStart?.();
    data.cluster.update(data.memberId, { isRunning: false });
    data.cluster.remove(data.memberId);
    this.host.data = undefined;
    this.state = "finished";
    stopService(services, recipe);
  }

  private async spoilStart(): Promise<void> {
    const { services, timers, joinMs } = this.host;
    this.cancelStart?.();
    this.state = "finished";
    services.transition(service, "Stopping", `Sending SIGTERM to task ${service}`);
    await timers.delay(joinMs * STOP_FACTOR);
    this.host.data = this.newCluster();
    this.host.data.cluster.update(this.host.data.memberId, { isRunning: false });
    services.transition(service, "Finished", "Service finished successfully");
  }

  private found(recovery: EtcdRecovery | undefined): void {
    if (this.hasFailed()) {
      return;
    }
    try {
      this.host.data = this.newCluster(recovery);
    } catch (error) {
      const reason = messageOfError(error);
      this.state = "finished";
      this.host.services.transition(service, "Failed", `Failed to run pre stage: ${reason}`);
      return;
    }
    this.run(this.host.data);
    this.evaluate();
    this.host.changed();
  }

  private newCluster(recovery?: EtcdRecovery): EtcdData {
    const restored = recovery && readSnapshot(this.snapshot, recovery);
    if (recovery) {
      this.snapshot = undefined;
    }
    const cluster = new EtcdCluster(() => this.host.changed(), restored);
    return this.join(cluster);
  }

  private join(cluster: EtcdCluster): EtcdData {
    const { hostname, privateAddress } = this.host;
    const { id } = cluster.add(hostname, privateAddress, {
      trust: this.host.trust(),
      version: etcdVersionOf(this.host.facts().image),
    });
    return { cluster, memberId: id, databaseBytes: cluster.bytesInUse };
  }

  private tryToJoin(): void {
    const clusters = this.host.findClusters();
    clusters.forEach((each) => each.removeNamesake(this.host.hostname));
    const cluster = clusters.find(({ canAddLearner }) => canAddLearner);
    if (!cluster) {
      return;
    }
    const data = this.join(cluster);
    this.host.data = data;
    this.run(data);
    this.catchUp(data);
  }

  /** A learner catches up after a delay. Then it gets its vote, which needs a majority. */
  private catchUp(data: EtcdData): void {
    if (data.cluster.member(data.memberId)?.isLearner !== true) {
      return;
    }
    this.host.timers.after(this.host.joinMs, () => {
      this.hasCaughtUp = true;
      this.evaluate();
    });
  }

  /** A running etcd uses new certificates at once, and the CAs that it trusts since its start. */
  private followIssuer(cluster: EtcdCluster, { id, trust }: EtcdMember): void {
    const issuer = this.host.trust()?.issuer;
    if (trust !== undefined && issuer !== undefined && issuer !== trust.issuer) {
      cluster.update(id, { trust: { ...trust, issuer } });
    }
  }

  private run(data: EtcdData): void {
    const { services } = this.host;
    services.transition(service, "Preparing", "Creating service runner");
    services.transition(service, "Running", startedText(recipe));
    const facts = this.host.facts();
    const version = etcdVersionOf(facts.image);
    const problem = startProblem(facts);
    const crash =
      problem?.kind === "program" ? problem.message : downgradeProblem(version, data.cluster.minor);
    if (crash !== undefined) {
      data.cluster.update(data.memberId, { isRunning: false });
      this.state = "finished";
      this.cancelStart = keepCrashing(crash, this.host);
      return;
    }
    this.state = "joined";
    data.cluster.update(data.memberId, { isRunning: true, trust: this.host.trust(), version });
    // The others removed it while it was down.
    if (!data.cluster.member(data.memberId)) {
      this.removed();
    }
  }

  /** Whether Talos gives up before it runs the program. */
  private hasFailed(): boolean {
    const problem = startProblem(this.host.facts());
    if (problem === undefined || problem.kind === "program") {
      return false;
    }
    this.state = "finished";
    this.cancelStart = giveUp(problem, this.host);
    return true;
  }

  /** A removed member exits and is restarted repeatedly, without success. */
  private removed(): void {
    this.state = "finished";
    this.host.services.transition(
      service,
      "Waiting",
      'Error running Containerd(etcd), going to restart forever: task "etcd" failed: exit code 1',
    );
  }
}
