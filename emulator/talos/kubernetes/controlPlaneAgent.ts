import type { SecureContextOptions } from "node:tls";
import type { EtcdCluster } from "../etcd/etcdCluster";
import type { MachineFaults } from "../faults/machineFaults";
import { KubernetesApiServer } from "./apiServer";
import type { ClusterAddons } from "./systemPods";

/** What the control plane needs of its node. */
export interface ControlPlaneHost {
  readonly address: string;
  readonly port: number;
  readonly architecture: string;
  /** The etcd cluster this node is a voting member of, while its etcd runs. */
  readonly etcd: () => EtcdCluster | undefined;
  /** What Talos installs into a new cluster. */
  readonly addons: () => ClusterAddons;
  /** The authority of the API server, in PEM, which the controller manager tells every namespace. */
  readonly rootCa: () => string;
  /** For example `v1.35.0`. */
  readonly version: () => string;
  /** Certificate, key and client CA; `undefined` where the configuration has no CA. */
  readonly identity: () => Promise<SecureContextOptions | undefined>;
  /** Called when the API has come up or gone down. */
  readonly changed: () => void;
  /** Gets what went wrong with starting it. */
  readonly failed: (error: unknown) => void;
  /** What is wrong with the machine. */
  readonly faults: MachineFaults;
}

/** Runs the Kubernetes API server of a control plane node for as long as its etcd has a vote. */
export class ControlPlaneAgent {
  readonly #host: ControlPlaneHost;
  #server: KubernetesApiServer | undefined;
  #cluster: EtcdCluster | undefined;
  #work: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(host: ControlPlaneHost) {
    this.#host = host;
  }

  /** The etcd cluster that is served, while the port is open. */
  get serving(): EtcdCluster | undefined {
    return this.#server ? this.#cluster : undefined;
  }

  /** Looks at etcd again: opens the port or closes it. */
  evaluate(): void {
    this.#enqueue(async () => {
      const cluster = this.#stopped ? undefined : this.#host.etcd();
      if (cluster === this.#cluster) return;
      await this.#close();
      if (cluster) await this.#open(cluster);
      this.#host.changed();
    });
  }

  /** Takes over a changed configuration. */
  renew(): void {
    this.#enqueue(async () => {
      const identity = this.#server && (await this.#host.identity());
      if (identity) this.#server?.setIdentity(identity);
    });
  }

  /** Closes the port for good. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#enqueue(() => this.#close());
    await this.#work;
  }

  async #open(cluster: EtcdCluster): Promise<void> {
    const { address, port, architecture, faults } = this.#host;
    const identity = await this.#host.identity();
    this.#cluster = cluster;
    if (!identity || this.#stopped) return;
    cluster.kubernetes.install(this.#host.addons());
    cluster.kubernetes.configMaps.publishRootCa(this.#host.rootCa());
    this.#server = await KubernetesApiServer.start({
      address,
      port,
      identity,
      architecture,
      state: () =>
        this.#host.etcd() === cluster
          ? {
              store: cluster.kubernetes,
              hasQuorum: cluster.hasQuorum && faults.etcd.failure === undefined,
              version: this.#host.version(),
            }
          : undefined,
      wire: faults.wire,
    });
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#cluster = undefined;
    await server?.stop();
  }

  #enqueue(task: () => Promise<void>): void {
    this.#work = this.#work.then(task).catch((error: unknown) => this.#host.failed(error));
  }
}
