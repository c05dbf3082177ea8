import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Taint } from "../config/machineFacts";
import { type ConfigMapRecord, ConfigMaps } from "./configMaps";
import type { ContainerStatus } from "./containerStatus";
import type { NodeMetadata } from "./nodeApply";
import type { ClusterAddons } from "./systemPods";

/** What a kubelet reports of its node. */
export interface NodeReport {
  readonly name: string;
  readonly isControlPlane: boolean;
  readonly internalAddress: string;
  /** `undefined` for a machine without a public address. */
  readonly externalAddress: string | undefined;
  readonly architecture: "amd64" | "arm64";
  readonly kubeletVersion: string;
  readonly talosVersion: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
  readonly bootId: string;
  readonly machineId: string;
  /** Those it registers with; what it says of them later counts for nothing. */
  readonly registeredTaints: readonly Taint[];
  /** The static pods of a control plane, by app. */
  readonly staticPods: Readonly<Partial<Record<string, ContainerStatus>>>;
}

/** A node as it is stored. */
export interface NodeRecord extends NodeReport, NodeMetadata {
  /** Takes no new pods: it is about to go down. */
  readonly isCordoned: boolean;
  readonly uid: string;
  readonly createdAt: Date;
  readonly resourceVersion: number;
  readonly isReady: boolean;
  readonly readyChangedAt: Date;
  /** When its kubelet was last heard of; `undefined` while it runs. */
  readonly lostAt: Date | undefined;
  /** From when on a lost kubelet makes the node's state unknown, in milliseconds after `lostAt`. */
  readonly graceMs: number;
  readonly podCidr: string;
}

/** A change that a watch is told. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly node: NodeRecord;
}

/** What a snapshot holds of what a cluster stores. */
export interface StoredObjects {
  readonly nodes: readonly NodeRecord[];
  readonly configMaps: readonly ConfigMapRecord[];
}

/** What one Kubernetes cluster stores, as far as it is simulated: its nodes and what Talos installed. */
export class KubernetesStore {
  readonly createdAt = new Date();
  readonly configMaps: ConfigMaps;
  readonly #nodes = new Map<string, NodeRecord>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #onWrite: () => void;
  #resourceVersion = 200;
  #addons: ClusterAddons | undefined;

  /** Empty, or with what a snapshot holds; of its nodes none has been heard of since. */
  constructor(
    onWrite: () => void,
    { nodes, configMaps }: StoredObjects = { nodes: [], configMaps: [] },
  ) {
    this.#onWrite = onWrite;
    for (const node of nodes) {
      this.#nodes.set(node.name, { ...node, lostAt: node.lostAt ?? new Date() });
    }
    for (const { resourceVersion } of [...nodes, ...configMaps]) {
      this.#resourceVersion = Math.max(this.#resourceVersion, resourceVersion);
    }
    this.configMaps = new ConfigMaps(() => {
      this.#resourceVersion += 1;
      onWrite();
      return this.#resourceVersion;
    }, configMaps);
  }

  /** What Talos installed when the cluster was bootstrapped; `undefined` until then. */
  get addons(): ClusterAddons | undefined {
    return this.#addons;
  }

  /** Installs what is not there yet; what is stays as it is, as Talos leaves it to its user. */
  install(addons: ClusterAddons): void {
    if (this.#addons) return;
    this.#addons = addons;
    this.#resourceVersion += 1;
  }

  /** Grows with every write. */
  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  /** By name. */
  get nodes(): readonly NodeRecord[] {
    return [...this.#nodes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The node of that name. */
  node(name: string): NodeRecord | undefined {
    return this.#nodes.get(name);
  }

  /** Stores what a kubelet reports; a node it did not know is not ready yet. */
  report(report: NodeReport, graceMs: number): void {
    const known = this.#nodes.get(report.name);
    const now = new Date();
    this.#put({
      uid: randomUUID(),
      createdAt: now,
      isReady: false,
      isCordoned: false,
      readyChangedAt: now,
      podCidr: `10.244.${this.#nodes.size % 256}.0/24`,
      labels: {},
      annotations: {},
      taints: report.registeredTaints,
      ...known,
      ...report,
      lostAt: undefined,
      graceMs,
    });
  }

  /** Stores labels, annotations and taints of a node. */
  setMetadata(name: string, { labels, annotations, taints }: NodeMetadata): void {
    const known = this.#nodes.get(name);
    if (!known) return;
    const next = { ...known, labels, annotations, taints };
    if (!isDeepStrictEqual(next, known)) this.#put(next);
  }

  /** Stores whether a node is ready. */
  setReady(name: string, isReady: boolean): void {
    const known = this.#nodes.get(name);
    if (known && known.isReady !== isReady) {
      this.#put({ ...known, isReady, readyChangedAt: new Date() });
    }
  }

  /** Stores whether a node takes pods. */
  setCordoned(name: string, isCordoned: boolean): void {
    const known = this.#nodes.get(name);
    if (known && known.isCordoned !== isCordoned) this.#put({ ...known, isCordoned });
  }

  /** Stores that a node's kubelet is not heard of any more. */
  setLost(name: string): void {
    const known = this.#nodes.get(name);
    if (known && !known.lostAt) this.#put({ ...known, lostAt: new Date() });
  }

  /** Removes a node; false if there is none of that name. */
  delete(name: string): boolean {
    const known = this.#nodes.get(name);
    if (!known) return false;
    this.#nodes.delete(name);
    this.#resourceVersion += 1;
    this.#emit({ type: "DELETED", node: { ...known, resourceVersion: this.#resourceVersion } });
    return true;
  }

  /** Calls the listener with each change until the returned function is called. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #put(record: Omit<NodeRecord, "resourceVersion">): void {
    this.#resourceVersion += 1;
    const node = { ...record, resourceVersion: this.#resourceVersion };
    const type = this.#nodes.has(node.name) ? "MODIFIED" : "ADDED";
    this.#nodes.set(node.name, node);
    this.#emit({ type, node });
  }

  #emit(event: StoreEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
    this.#onWrite();
  }
}
