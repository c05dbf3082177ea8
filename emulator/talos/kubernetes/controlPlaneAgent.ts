import type { SecureContextOptions } from "node:tls";
import type { EncryptionKeys } from "../config/encryptionKeys";
import type { EtcdCluster } from "../etcd/etcdCluster";
import type { MachineFaults } from "../faults/machineFaults";
import { KubernetesApiServer } from "./apiServer";
import type { ClientTrust } from "./clientTrust";

/** The node's interface for the control plane. */
export interface ControlPlaneHost {
  readonly address: string;
  readonly port: number;
  readonly architecture: string;
  /** The etcd cluster in which this node votes; undefined while its etcd doesn't run. */
  readonly etcd: () => EtcdCluster | undefined;
  /** For example `v1.35.0`. */
  readonly version: () => string;
  /** Which clients the API server accepts besides those with a certificate. */
  readonly trust: () => ClientTrust;
  /** The keys with which the API server reads Secrets; the first one encrypts. */
  readonly encryptionKeys: () => EncryptionKeys;
  /** Certificate, key and client CA; `undefined` if the configuration has no CA. */
  readonly identity: () => Promise<SecureContextOptions | undefined>;
  /** Called when the API has started or stopped. */
  readonly changed: () => void;
  /** Gets errors of its start. */
  readonly failed: (error: unknown) => void;
  /** The machine's faults. */
  readonly faults: MachineFaults;
}

/** Runs the Kubernetes API server of a control plane node while its etcd member votes. */
export class ControlPlaneAgent {
  private readonly host: ControlPlaneHost;
  private server: KubernetesApiServer | undefined;
  private cluster: EtcdCluster | undefined;
  private work: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(host: ControlPlaneHost) {
    this.host = host;
  }

  /** The served etcd cluster, while the port is open. */
  get serving(): EtcdCluster | undefined {
    return this.server ? this.cluster : undefined;
  }

  /** Checks etcd again, and opens or closes the port. */
  evaluate(): void {
    this.enqueue(async () => {
      const cluster = this.stopped ? undefined : this.host.etcd();
      if (cluster === this.cluster) {
        return;
      }
      await this.close();
      if (cluster) {
        await this.open(cluster);
      }
      this.host.changed();
    });
  }

  /** Applies a changed configuration. */
  renew(): void {
    this.enqueue(async () => {
      const identity = this.server && (await this.host.identity());
      if (identity) {
        this.server?.setIdentity(identity);
      }
    });
  }

  /** Closes the port permanently. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.enqueue(() => this.close());
    await this.work;
  }

  private async open(cluster: EtcdCluster): Promise<void> {
    const { address, port, architecture, faults } = this.host;
    const identity = await this.host.identity();
    this.cluster = cluster;
    if (!identity || this.stopped) {
      return;
    }
    this.server = await KubernetesApiServer.start({
      address,
      port,
      identity,
      architecture,
      state: () =>
        this.host.etcd() === cluster
          ? {
              store: cluster.kubernetes,
              hasQuorum: cluster.hasQuorum && faults.etcd.failure === undefined,
              version: this.host.version(),
              trust: this.host.trust(),
              encryptionKeys: this.host.encryptionKeys(),
            }
          : undefined,
      wire: faults.wire,
    });
  }

  private async close(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    this.cluster = undefined;
    await server?.stop();
  }

  private enqueue(task: () => Promise<void>): void {
    this.work = this.work.then(task).catch((error: unknown) => this.host.failed(error));
  }
}
