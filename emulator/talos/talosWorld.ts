import { isIP } from "node:net";
import type { ForwardTarget } from "./apid/forwarder";
import type { EtcdCluster } from "./etcd/etcdCluster";
import { areInTouch, type EtcdTrust } from "./etcd/etcdTrust";
import type { ReadDocument } from "./kubernetes/issuerKeys";
import type { KubernetesTrust } from "./kubernetes/kubelet";
import type { KubernetesStore } from "./kubernetes/kubernetesStore";
import type { NodeState, Peer } from "./machine/nodeState";

/** A node, from the view of other nodes in its world. */
export interface WorldNode extends ForwardTarget {
  /** Whether nodes of this network reach it by this name or address. */
  answersTo(target: string, fromNetworkId: string): boolean;
  /** URL of its cluster's Kubernetes API, in its configuration. Undefined while it has none. */
  readonly endpoint: string | undefined;
  /** How it finds other nodes, in its configuration. Undefined while it has none. */
  readonly identity: DiscoveryIdentity | undefined;
  /** Its entry in the discovery service, if that is enabled. */
  readonly peer: Peer | undefined;
  /** The loopback address it listens on. */
  readonly address: string;
  /** The etcd cluster of which its etcd is a running member, and the member's CAs. */
  readonly etcd:
    { readonly cluster: EtcdCluster; readonly trust: EtcdTrust | undefined } | undefined;
  /** Its Kubernetes API server, while it serves. */
  readonly kubernetes: ServedKubernetes | undefined;
  /** The node, while it runs a configuration and its port is open. */
  readonly state: NodeState | undefined;
  /** Called on each change in the world. */
  worldChanged(): void;
}

/** A Kubernetes API server: its objects, and the certificates that it accepts. */
export interface ServedKubernetes {
  readonly store: KubernetesStore;
  readonly trust: KubernetesTrust;
}

/**
 * What nodes find each other by at the discovery service: it has the entries of an id, which the secret
 * encrypts. Source: discovery-client v0.1.13, `pkg/client/client.go` (`parseReply` leaves out what it
 * can't decrypt).
 */
export interface DiscoveryIdentity {
  readonly id: string;
  readonly secret: string;
}

/** The discovery entry of a node. */
interface Entry {
  readonly identity: DiscoveryIdentity;
  readonly peer: Peer;
}

/** The discovery entry of a node that is gone, or has another identity. */
interface Departed extends Entry {
  /** When the discovery service forgets it, in milliseconds since 1970. */
  readonly until: number;
}

/** How long the discovery service keeps an entry that nobody renews (Talos v1.12.1, `defaultDiscoveryTTL`). */
const DISCOVERY_TTL_MS = 30 * 60_000;

/** Resolves a name with the network's DNS. Empty for an unknown name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Shortest time between notifications. Changes in between notify all nodes once. */
const NOTICE_EVERY_MS = 10;

/**
 * The shared state of simulated nodes: their networks, the discovery service, and the clusters that
 * result from both. All nodes of a world are in one process. Private addresses and names are only
 * valid in their network, because several networks may have the same.
 */
export class TalosWorld {
  private readonly nodes = new Set<WorldNode>();
  /** By the identity and the node. */
  private readonly departed = new Map<string, Departed>();
  /** The last entries of the nodes. */
  private readonly entries = new Map<WorldNode, Entry>();
  private readonly resolve: ResolveName;
  private noticePending = false;
  private lastNoticeMs = -NOTICE_EVERY_MS;
  /** Results of `kubernetesOf` during a notification, as all nodes ask for the same. */
  private found: Map<string, ServedKubernetes | undefined> | undefined;

  /**
   * @param resolve the network's DNS. Default: it knows no name.
   * @param readDocument reads what is on the internet for machines. Default: they reach none.
   */
  constructor(
    resolve: ResolveName = () => Promise.resolve([]),
    readonly readDocument: ReadDocument = (url) =>
      Promise.reject(new Error(`${url}: no such host`)),
  ) {
    this.resolve = resolve;
  }

  /** Connects a node to the network. */
  add(node: WorldNode): void {
    this.nodes.add(node);
    this.changed();
  }

  /** Disconnects a node. The discovery service keeps its entry for some time. */
  remove(node: WorldNode): void {
    const { identity, peer } = node;
    if (this.nodes.delete(node) && identity !== undefined && peer !== undefined) {
      this.depart({ identity, peer });
    }
    this.entries.delete(node);
    this.changed();
  }

  /** The node with this name or address, for one in this network. */
  find(target: string, fromNetworkId: string): WorldNode | undefined {
    for (const node of this.nodes) {
      if (node.answersTo(target, fromNetworkId)) {
        return node;
      }
    }
    return undefined;
  }

  /** The entries that a holder of this identity can read at the discovery service, by node id. */
  peersOf(identity: DiscoveryIdentity): readonly Peer[] {
    this.noteIdentities();
    const isReadable = (other: DiscoveryIdentity | undefined) =>
      other?.id === identity.id && other.secret === identity.secret && identity.id !== "";
    const departed = [...this.departed.values()].filter(
      (each) => isReadable(each.identity) && each.until > Date.now(),
    );
    const present = [...this.nodes].flatMap((node) =>
      isReadable(node.identity) && node.peer !== undefined ? [node.peer] : [],
    );
    const byId = new Map(
      [...departed.map(({ peer }) => peer), ...present].map((peer) => [peer.nodeId, peer]),
    );
    return [...byId.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  }

  /** The loopback addresses of a name or address in a network: those of a node, or from the DNS. */
  async addressesOf(target: string, fromNetworkId: string): Promise<readonly string[]> {
    const node = this.find(target, fromNetworkId);
    if (node) {
      return [node.address];
    }
    return isIP(target) === 0 ? this.resolve(target) : [target];
  }

  /**
   * The etcd clusters of the cluster at an endpoint, with members that a node with these CAs can
   * talk to. More than one is an error.
   */
  etcdClustersOf(endpoint: string, trust: EtcdTrust | undefined): readonly EtcdCluster[] {
    const clusters = this.members(endpoint)
      .filter(({ etcd }) => etcd !== undefined && areInTouch(etcd.trust, trust))
      .map(({ etcd }) => etcd?.cluster)
      .filter((cluster) => cluster !== undefined);
    return [...new Set(clusters)];
  }

  /** The objects of the Kubernetes API at an endpoint, from any control plane that serves them. */
  kubernetesOf(endpoint: string): KubernetesStore | undefined {
    return this.apiServerOf(endpoint)?.store;
  }

  /** The Kubernetes API at an endpoint, from any control plane that serves it. */
  apiServerOf(endpoint: string): ServedKubernetes | undefined {
    if (this.found?.has(endpoint)) {
      return this.found.get(endpoint);
    }
    const served = this.findKubernetes(endpoint);
    this.found?.set(endpoint, served);
    return served;
  }

  /** Reports a change of a node. All nodes are notified, once for simultaneous changes. */
  changed(): void {
    if (this.noticePending) {
      return;
    }
    this.noticePending = true;
    const waitMs = this.lastNoticeMs + NOTICE_EVERY_MS - performance.now();
    if (waitMs > 0) {
      setTimeout(() => this.notify(), waitMs);
    } else {
      setImmediate(() => this.notify());
    }
  }

  private notify(): void {
    this.noticePending = false;
    this.lastNoticeMs = performance.now();
    this.found = new Map();
    this.noteIdentities();
    for (const node of [...this.nodes]) {
      node.worldChanged();
    }
    this.found = undefined;
  }

  /** Keeps the entries of nodes that have another identity since the last look. */
  private noteIdentities(): void {
    for (const node of this.nodes) {
      const { identity, peer } = node;
      const entry = this.entries.get(node);
      const isOther =
        identity?.id !== entry?.identity.id || identity?.secret !== entry?.identity.secret;
      // A node without a configuration was reset, and has taken its entry back.
      if (entry !== undefined && identity !== undefined && isOther) {
        this.depart(entry);
      }
      if (identity === undefined || peer === undefined) {
        this.entries.delete(node);
      } else {
        this.entries.set(node, { identity, peer });
      }
    }
  }

  private depart({ identity, peer }: Entry): void {
    const key = [identity.id, identity.secret, peer.nodeId].join(" ");
    this.departed.set(key, { identity, peer, until: Date.now() + DISCOVERY_TTL_MS });
  }

  private findKubernetes(endpoint: string): ServedKubernetes | undefined {
    for (const { kubernetes } of this.members(endpoint)) {
      if (kubernetes) {
        return kubernetes;
      }
    }
    return undefined;
  }

  private members(endpoint: string): WorldNode[] {
    return [...this.nodes].filter((node) => node.endpoint === endpoint && endpoint !== "");
  }
}
