import { isDeepStrictEqual } from "node:util";
import type { Timers } from "../machine/timers";
import type { KubernetesStore, NodeRecord, NodeReport } from "./kubernetesStore";
import { systemPods, type SystemPod } from "./systemPods";

/** What a kubelet needs of its node. */
export interface KubeletHost {
  readonly timers: Timers;
  /** How long a new node takes to become ready. */
  readonly joinMs: number;
  /** The node as it is now. */
  report(): NodeReport;
  /** The API it can reach, if there is one. */
  findStore(): KubernetesStore | undefined;
}

/** Kubernetes calls a node lost after 40 s; a start of a second stands for that many of joining. */
const graceFactor = 40;

/** Registers its node with the Kubernetes API once that can be reached, and reports its state. */
export class Kubelet {
  readonly #host: KubeletHost;
  #registered: { readonly store: KubernetesStore; readonly report: NodeReport } | undefined;

  constructor(host: KubeletHost) {
    this.#host = host;
  }

  /** The node as the API has it. */
  get node(): NodeRecord | undefined {
    return this.#registered?.store.node(this.#registered.report.name);
  }

  /** What it runs. */
  get pods(): readonly SystemPod[] {
    if (!this.#registered) return [];
    const { store, report } = this.#registered;
    return systemPods(store, new Date()).filter(({ node }) => node.name === report.name);
  }

  /** Looks at the world again: registers if it can, tells what has changed. */
  evaluate(): void {
    const store = this.#host.findStore();
    if (!store) return;
    const report = this.#host.report();
    const before = this.#registered;
    if (before?.store === store && isDeepStrictEqual(before.report, report)) return;
    this.#registered = { store, report };
    const isNew = store.node(report.name) === undefined;
    store.report(report, this.#host.joinMs * graceFactor);
    // Talos lets pods in again on a node that it kept them out of while it went down.
    store.setCordoned(report.name, false);
    if (isNew || store.node(report.name)?.isReady === false) {
      this.#host.timers.after(this.#host.joinMs, () => store.setReady(report.name, true));
    }
  }

  /** Has Kubernetes keep pods off the node. */
  cordon(): void {
    this.#registered?.store.setCordoned(this.#registered.report.name, true);
  }

  /** Is heard of no more. */
  stop(): void {
    this.#registered?.store.setLost(this.#registered.report.name);
    this.#registered = undefined;
  }
}
