import { isDeepStrictEqual } from "node:util";
import type { Timers } from "../machine/timers";
import type { KubernetesStore } from "./kubernetesStore";
import type { NodeRecord, NodeReport } from "./nodeRecord";
import { staticPods, type SystemPod, systemPods } from "./systemPods";

/** What a kubelet needs of its node. */
export interface KubeletHost {
  readonly timers: Timers;
  /** How long a new node takes to become ready. */
  readonly joinMs: number;
  /** How long the kubelet takes to restart. */
  readonly restartMs: number;
  /** The node as it is now. */
  report(): NodeReport;
  /** The API it can reach, if there is one. */
  findStore(): KubernetesStore | undefined;
  /** Whether that API refuses the kubelet's certificate, or shows one that the kubelet doesn't trust. */
  isRefused(): boolean;
}

/** Kubernetes calls a node lost after 40 s; a start of a second stands for that many of joining. */
const graceFactor = 40;
/** A kubelet that restarts isn't lost, however little time joining takes. */
const leastGraceRestarts = 4;

/** Registers its node with the Kubernetes API once that can be reached, and reports its state. */
export class Kubelet {
  readonly #host: KubeletHost;
  #registered: { readonly store: KubernetesStore; readonly report: NodeReport } | undefined;
  /** Outlives the kubelet: Talos goes on to watch the node by itself. */
  #watched: { readonly store: KubernetesStore; readonly name: string } | undefined;

  /** Whether it was the last time. */
  #isRefused = false;

  constructor(host: KubeletHost) {
    this.#host = host;
  }

  /** The node as the API has it. */
  get node(): NodeRecord | undefined {
    return this.#watched?.store.node(this.#watched.name);
  }

  /** What it runs. */
  get pods(): readonly SystemPod[] {
    if (!this.#registered) return [];
    const { store, report } = this.#registered;
    const now = new Date();
    const node = store.node(report.name);
    return [
      ...systemPods(store, now).filter((pod) => pod.node.name === report.name && !isStatic(pod)),
      // Its own word counts, not what the API was last told.
      ...(node ? staticPods({ ...node, staticPods: this.#host.report().staticPods }, now) : []),
    ].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Looks at the world again: registers if it can, tells what has changed. */
  evaluate(): void {
    const store = this.#host.findStore();
    if (!store) return;
    if (this.#host.isRefused()) {
      this.#isRefused = true;
      if (this.#registered) store.setLost(this.#registered.report.name);
      return;
    }
    const report = this.#host.report();
    const before = this.#registered;
    const isSame = before?.store === store && isDeepStrictEqual(before.report, report);
    if (isSame && !this.#isRefused) return;
    this.#isRefused = false;
    this.#registered = { store, report };
    this.#watched = { store, name: report.name };
    const isNew = store.node(report.name) === undefined;
    const { joinMs, restartMs } = this.#host;
    store.report(report, Math.max(joinMs * graceFactor, restartMs * leastGraceRestarts));
    if (isNew || store.node(report.name)?.isReady === false) {
      this.#host.timers.after(joinMs, () => store.setReady(report.name, true));
    }
  }

  /** Is heard of no more. */
  stop(): void {
    this.#registered?.store.setLost(this.#registered.report.name);
    this.#registered = undefined;
  }
}

function isStatic({ kind }: SystemPod): boolean {
  return kind === "static";
}

/** The CAs of the Kubernetes API in a machine's configuration, each a certificate in base64 of PEM. */
export interface KubernetesTrust {
  /** What issues certificates, its API server's own among them; undefined where there is none. */
  readonly issuing: string | undefined;
  /** What is accepted, the issuing one included. */
  readonly accepted: readonly string[];
}

/**
 * The client certificate of a kubelet. It stays until the machine no longer accepts what issued it, and is
 * then asked for anew, with the bootstrap token (talos v1.12.1, `refreshKubeletCerts` in
 * `k8s/kubelet_service.go`).
 */
export class KubeletCertificate {
  #issuer: string | undefined;

  /** Whether the kubelet and an API server take each other; without a certificate it is issued one by that. */
  isTaken(kubelet: KubernetesTrust, apiServer: KubernetesTrust): boolean {
    if (this.#issuer !== undefined && !kubelet.accepted.includes(this.#issuer)) {
      this.#issuer = undefined;
    }
    const { issuing } = apiServer;
    if (issuing === undefined || !kubelet.accepted.includes(issuing)) return false;
    this.#issuer ??= issuing;
    return apiServer.accepted.includes(this.#issuer);
  }
}
