import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isMapping } from "../../../provider/config";
import { EncryptedSecrets } from "./encryptedSecrets";
import { nameOf, namespaceOf, numberAt, type KubernetesObject } from "./kubernetesObject";
import { LeaderLease } from "./leaderLease";
import { applied, updated } from "./managedFields";
import type { DeprecatedRequest } from "./metrics";
import type { NodeMetadata, NodeRecord, NodeReport } from "./nodeRecord";
import { withDefaults } from "./objectDefaults";
import { builtIn, keyOf, ObjectStore } from "./objectStore";
import { ending, nodeNameOf, type PodPace } from "./podStore";
import { namespaceNames } from "./resources";
import { TalosInventory } from "./talosInventory";
import { WorkloadController } from "./workloadController";

/** A change, for watches. */
export interface StoreEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly node: NodeRecord;
}

/** The objects of a cluster in a snapshot. */
export interface RestoredObjects {
  readonly nodes: readonly NodeRecord[];
  readonly objects: readonly KubernetesObject[];
}

/** The etcd of a store. */
export interface KubernetesStoreHost {
  /** Called after each write of a node or another object. */
  readonly written: (what: "node" | "object") => void;
  /** Whether etcd accepts writes; controllers pause while it doesn't. Default: it does. */
  readonly isWritable?: () => boolean;
}

const nothing: RestoredObjects = { nodes: [], objects: [] };
const podKind = builtIn("pods");
const namespaceKind = builtIn("namespaces");
const daemonSetKind = builtIn("daemonsets");
/** It ends on a node without a range: "pod cidr not assigned" (flannel v0.27, `subnet/kube/kube.go`). */
const flannel = { namespace: "kube-system", name: "kube-flannel" };

/**
 * The objects of a Kubernetes cluster: nodes as their kubelets report them, and all other objects.
 */
export class KubernetesStore {
  readonly createdAt = new Date();
  readonly objects: ObjectStore;
  /** The keys of its Secrets. */
  readonly encrypted: EncryptedSecrets;
  /** The timing of pods. Tests set it. */
  pace: PodPace = { controllerMs: 5, startMs: 50, stopMs: 50 };
  /** Deprecated APIs that clients have requested. Tests set it. */
  deprecatedRequests: readonly DeprecatedRequest[] = [];
  /** Judges what clients write, as webhooks do: it throws `KubernetesFailure`. Tests set it. Default: it accepts all. */
  admit: (operation: "CREATE" | "UPDATE" | "DELETE", object: KubernetesObject) => void = () =>
    undefined;
  /** Which controller manager works. */
  readonly controllerLease = new LeaderLease();
  private readonly currentNodes = new Map<string, NodeRecord>();
  /** The nodes whose kubelets only wait for their pod network. */
  private readonly waitingForNetwork = new Set<string>();
  private readonly listeners = new Set<(event: StoreEvent) => void>();
  private readonly host: KubernetesStoreHost;
  private readonly controller: WorkloadController;
  private currentResourceVersion = 200;

  /** Empty, or with the objects of a snapshot, whose nodes count as lost. */
  constructor(host: KubernetesStoreHost, restored = nothing) {
    this.host = host;
    for (const node of restored.nodes) {
      this.currentNodes.set(node.name, { ...node, lostAt: node.lostAt ?? new Date() });
      this.currentResourceVersion = Math.max(this.currentResourceVersion, node.resourceVersion);
    }
    for (const { metadata } of restored.objects) {
      this.currentResourceVersion = Math.max(
        this.currentResourceVersion,
        Number(metadata.resourceVersion),
      );
    }
    this.objects = new ObjectStore(
      {
        nextVersion: () => (this.currentResourceVersion += 1),
        written: () => this.written("object"),
      },
      restored.objects,
    );
    this.encrypted = new EncryptedSecrets(this.objects);
    this.controller = new WorkloadController(this);
    for (const name of namespaceNames) {
      if (this.objects.find(namespaceKind, { namespace: "", name })) {
        continue;
      }
      this.objects.put(namespaceKind, namespaceObject(name));
    }
  }

  /** Whether etcd accepts writes. */
  get isWritable(): boolean {
    return this.host.isWritable?.() ?? true;
  }

  /** Makes the controllers check the cluster again. */
  wake(): void {
    this.controller.wake();
  }

  /**
   * Creates missing objects. Existing ones stay unchanged, because Talos leaves them to users. Talos
   * v1.13 records all of them in an inventory, and does not create again what is in it (talos v1.14.1,
   * `k8s/manifest_apply.go`).
   */
  install(
    manifests: readonly KubernetesObject[],
    { isRecording = false }: { readonly isRecording?: boolean } = {},
  ): void {
    const inventory = new TalosInventory(this.objects);
    for (const object of manifests) {
      const kind = this.objects.kindOf(object);
      if (!kind) {
        continue;
      }
      const { resourceVersion: _, ...metadata } = object.metadata;
      const namespace = kind.namespaced ? { namespace: metadata.namespace ?? "default" } : {};
      const made = { ...object, metadata: { ...metadata, ...namespace } };
      if (isRecording && inventory.has(made)) {
        continue;
      }
      if (this.objects.find(kind, keyOf(made))) {
        if (isRecording) {
          inventory.add(made);
        }
        continue;
      }
      // Talos stops at an object of an unknown kind, and retries later.
      const place = { namespace: "", name: namespaceOf({ metadata: namespace }) };
      if (kind.namespaced && !this.objects.find(namespaceKind, place)) {
        return;
      }
      const manager = { name: "talos", apiVersion: object.apiVersion, now: new Date() };
      if (isRecording) {
        this.objects.put(
          kind,
          withDefaults(applied(undefined, inventory.marked(made), manager, false)),
        );
        inventory.add(made);
      } else {
        this.objects.put(kind, updated(undefined, withDefaults(made), manager));
      }
    }
  }

  /**
   * Publishes the API server's CA in every namespace, as the controller manager does (Kubernetes
   * v1.35, `pkg/controller/certificates/rootcacertpublisher`).
   */
  publishRootCa(pem: string): void {
    for (const namespace of this.objects.list(namespaceKind).map(nameOf)) {
      const object = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "kube-root-ca.crt", namespace },
        data: { "ca.crt": pem },
      };
      const kind = this.objects.kindOf(object);
      const known = kind && this.objects.find(kind, keyOf(object));
      if (kind && !isDeepStrictEqual(known?.data, object.data)) {
        this.objects.put(kind, { ...known, ...object });
      }
    }
  }

  /**
   * Publishes the CAs that an API server accepts, beside those that are published (Kubernetes v1.35,
   * `pkg/controlplane/controller/clusterauthenticationtrust`).
   */
  publishAuthorities(clients: readonly string[], aggregators: readonly string[]): void {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "extension-apiserver-authentication", namespace: "kube-system" },
    };
    const kind = this.objects.kindOf(object);
    const place = { namespace: "", name: "kube-system" };
    if (kind === undefined || !this.objects.find(namespaceKind, place)) {
      return;
    }
    const known = this.objects.find(kind, keyOf(object));
    const published = isMapping(known?.data) ? known.data : {};
    const joined = (key: string, own: readonly string[]) => {
      const text = published[key];
      return [...new Set([...certificatesOf(typeof text === "string" ? text : ""), ...own])].join(
        "",
      );
    };
    const data = {
      "client-ca-file": joined("client-ca-file", clients),
      "requestheader-client-ca-file": joined("requestheader-client-ca-file", aggregators),
    };
    if (!isDeepStrictEqual(published, data)) {
      this.objects.put(kind, { ...known, ...object, data });
    }
  }

  /** Terminates a pod. A pod without a node or grace period is deleted at once. */
  endPod(pod: KubernetesObject, graceSeconds: number, now: Date): void {
    const isGone = nodeNameOf(pod) === undefined || graceSeconds === 0;
    if (isGone) {
      this.objects.remove(podKind, keyOf(pod));
    } else if (numberAt(pod, "metadata", "deletionGracePeriodSeconds") !== graceSeconds) {
      this.objects.put(podKind, ending(pod, graceSeconds, now, this.pace));
    }
  }

  /** Increases with every write. */
  get resourceVersion(): number {
    return this.currentResourceVersion;
  }

  /** By name. */
  get nodes(): readonly NodeRecord[] {
    return [...this.currentNodes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The node of that name. */
  node(name: string): NodeRecord | undefined {
    return this.currentNodes.get(name);
  }

  /** Stores a kubelet's report. A new node is not ready yet. */
  report(report: NodeReport, graceMs: number): void {
    const known = this.currentNodes.get(report.name);
    const now = new Date();
    this.put({
      uid: randomUUID(),
      createdAt: now,
      isReady: false,
      isCordoned: false,
      readyChangedAt: now,
      podCidrs: [],
      labels: {},
      annotations: {},
      taints: report.registeredTaints,
      ...known,
      ...report,
      lostAt: undefined,
      graceMs,
    });
  }

  /** Stores labels, annotations, taints and the cordon of a node. */
  setMetadata(name: string, change: NodeMetadata): void {
    const known = this.currentNodes.get(name);
    if (!known) {
      return;
    }
    const { labels, annotations, taints, isCordoned = known.isCordoned } = change;
    const next = { ...known, labels, annotations, taints, isCordoned };
    if (!isDeepStrictEqual(next, known)) {
      this.put(next);
    }
  }

  /** Stores whether a node is ready. It first needs a pod network, and with flannel a range of pods. */
  setReady(name: string, isReady: boolean): void {
    const known = this.currentNodes.get(name);
    this.waitingForNetwork.delete(name);
    if (!known || known.isReady === isReady) {
      return;
    }
    if (isReady && this.lacksNetwork(known)) {
      this.waitingForNetwork.add(name);
      return;
    }
    this.put({ ...known, isReady, readyChangedAt: new Date() });
  }

  /** Stores the ranges of a node's pods. */
  setPodCidrs(name: string, podCidrs: readonly string[]): void {
    const known = this.currentNodes.get(name);
    if (!known) {
      return;
    }
    this.put({ ...known, podCidrs });
    if (this.waitingForNetwork.has(name)) {
      this.setReady(name, true);
    }
  }

  /**
   * Whether a node's container runtime finds no pod network. Control planes decide which one there is. One
   * whose manifest Talos fetches counts as installed, because nothing fetches it here.
   */
  private lacksNetwork({ podCidrs }: NodeRecord): boolean {
    return this.nodes.some(({ awaitsPodNetwork }) => awaitsPodNetwork)
      ? !this.objects.list(daemonSetKind).some(bringsPodNetwork)
      : podCidrs.length === 0 && this.objects.find(daemonSetKind, flannel) !== undefined;
  }

  /** Stores that a node's kubelet is lost. */
  setLost(name: string): void {
    const known = this.currentNodes.get(name);
    if (known && !known.lostAt) {
      this.put({ ...known, lostAt: new Date() });
    }
  }

  /** Deletes a node; false if there is none of that name. */
  delete(name: string): boolean {
    const known = this.currentNodes.get(name);
    if (!known) {
      return false;
    }
    this.currentNodes.delete(name);
    this.currentResourceVersion += 1;
    this.emit({
      type: "DELETED",
      node: { ...known, resourceVersion: this.currentResourceVersion },
    });
    return true;
  }

  /** Calls the listener for each change, until the returned function is called. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private put(record: Omit<NodeRecord, "resourceVersion">): void {
    this.currentResourceVersion += 1;
    const node = { ...record, resourceVersion: this.currentResourceVersion };
    const type = this.currentNodes.has(node.name) ? "MODIFIED" : "ADDED";
    this.currentNodes.set(node.name, node);
    this.emit({ type, node });
  }

  private emit(event: StoreEvent): void {
    for (const listener of [...this.listeners]) {
      listener(event);
    }
    this.written("node");
  }

  private written(what: "node" | "object"): void {
    this.host.written(what);
    this.controller.wake();
    if (what === "object") {
      [...this.waitingForNetwork].forEach((name) => this.setReady(name, true));
    }
  }
}

/** The folder where a container runtime looks for its pod network. */
const NETWORK_FOLDER = "/etc/cni/net.d";

/** Whether its pods write the configuration of a pod network on their machine. */
function bringsPodNetwork(daemonSet: KubernetesObject): boolean {
  return JSON.stringify(daemonSet).includes(JSON.stringify(NETWORK_FOLDER));
}

/** A namespace in use. */
function namespaceObject(name: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

function certificatesOf(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
}
