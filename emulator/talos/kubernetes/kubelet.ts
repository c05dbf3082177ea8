import { isDeepStrictEqual } from "node:util";
import type { Timers } from "../machine/timers";
import type { KubernetesStore } from "./kubernetesStore";
import type { NodeRecord, NodeReport } from "./nodeRecord";
import { staticPods, type SystemPod, systemPods } from "./systemPods";

/** The node's interface for a kubelet. */
export interface KubeletHost {
  readonly timers: Timers;
  /** How long a new node takes to become ready. */
  readonly joinMs: number;
  /** How long the kubelet takes to restart. */
  readonly restartMs: number;
  /** The node's current state. */
  report(): NodeReport;
  /** The API server that it can reach, if there is one. */
  findStore(): KubernetesStore | undefined;
  /**
   * Whether that API server refuses the kubelet's certificate, or has one that the kubelet doesn't
   * trust.
   */
  isRefused(): boolean;
}

/**
 * Kubernetes counts a node as lost after 40 s. Here the time to join stands for one second of that.
 */
const GRACE_FACTOR = 40;
/** A restarting kubelet isn't lost, however short the time to join is. */
const LEAST_GRACE_RESTARTS = 4;

/** Registers its node when the Kubernetes API is reachable, and reports its state. */
export class Kubelet {
  private readonly host: KubeletHost;
  private registered: { readonly store: KubernetesStore; readonly report: NodeReport } | undefined;
  /** It outlives the kubelet, because Talos itself continues to watch the node. */
  private watched: { readonly store: KubernetesStore; readonly name: string } | undefined;

  /** Whether the last contact was refused. */
  private isRefused = false;

  constructor(host: KubeletHost) {
    this.host = host;
  }

  /** Its node in the API. */
  get node(): NodeRecord | undefined {
    return this.watched?.store.node(this.watched.name);
  }

  /** The pods that it runs. */
  get pods(): readonly SystemPod[] {
    if (!this.registered) {
      return [];
    }
    const { store, report } = this.registered;
    const now = new Date();
    const node = store.node(report.name);
    return [
      ...systemPods(store, now).filter((pod) => pod.node.name === report.name && !isStatic(pod)),
      // The kubelet's own state counts, not the last report to the API.
      ...(node ? staticPods({ ...node, staticPods: this.host.report().staticPods }, now) : []),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Checks the state again: registers the node if possible, and reports changes. */
  evaluate(): void {
    const store = this.host.findStore();
    if (!store) {
      return;
    }
    if (this.host.isRefused()) {
      this.isRefused = true;
      if (this.registered) {
        store.setLost(this.registered.report.name);
      }
      return;
    }
    const report = this.host.report();
    const before = this.registered;
    const isSame = before?.store === store && isDeepStrictEqual(before.report, report);
    if (isSame && !this.isRefused) {
      return;
    }
    this.isRefused = false;
    this.registered = { store, report };
    this.watched = { store, name: report.name };
    const isNew = store.node(report.name) === undefined;
    const { joinMs, restartMs } = this.host;
    store.report(report, Math.max(joinMs * GRACE_FACTOR, restartMs * LEAST_GRACE_RESTARTS));
    if (isNew || store.node(report.name)?.isReady === false) {
      this.host.timers.after(joinMs, () => store.setReady(report.name, true));
    }
  }

  /** Stops reporting. */
  stop(): void {
    this.registered?.store.setLost(this.registered.report.name);
    this.registered = undefined;
  }
}

function isStatic({ kind }: SystemPod): boolean {
  return kind === "static";
}

/** The Kubernetes CAs in a machine's configuration, each base64 of a PEM certificate. */
export interface KubernetesTrust {
  /** The issuing CA, which also signs its API server's certificate; undefined without one. */
  readonly issuing: string | undefined;
  /** The accepted CAs, including the issuing one. */
  readonly accepted: readonly string[];
}

/**
 * The client certificate of a kubelet. It is kept until the machine no longer accepts its CA, and
 * is then requested again with the bootstrap token (talos v1.12.1, `refreshKubeletCerts` in
 * `k8s/kubelet_service.go`).
 */
export class KubeletCertificate {
  private issuer: string | undefined;

  /**
   * Whether the kubelet and an API server accept each other. A kubelet without a certificate gets
   * one from that server, if it accepts the bootstrap token.
   */
  isTaken(
    kubelet: KubernetesTrust,
    apiServer: KubernetesTrust,
    acceptsToken: () => boolean,
  ): boolean {
    if (this.issuer !== undefined && !kubelet.accepted.includes(this.issuer)) {
      this.issuer = undefined;
    }
    const { issuing } = apiServer;
    if (issuing === undefined || !kubelet.accepted.includes(issuing)) {
      return false;
    }
    if (this.issuer === undefined && !acceptsToken()) {
      return false;
    }
    this.issuer ??= issuing;
    return apiServer.accepted.includes(this.issuer);
  }
}
