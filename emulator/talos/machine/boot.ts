import { randomUUID } from "node:crypto";
import { ResourceStore } from "../cosi/resourceStore";
import { nodeSources } from "../cosi/sources/nodeSources";
import type { EtcdService } from "../etcd/etcdService";
import type { NodeRecord } from "../kubernetes/kubernetesStore";
import type { CallContext } from "../rpc/method";
import type { TalosWorld } from "../talosWorld";
import { parseHostname, type Hostname } from "./hostname";
import type { MachineDisk } from "./machineDisk";
import type { MachineStatus } from "./machineStatus";
import type { NodeControl } from "./nodeControl";
import type { ActiveConfig, Hardware, NodeState, Peer } from "./nodeState";
import { ServiceBoard } from "./serviceBoard";
import { Timers } from "./timers";

/** What a machine lends to each of its boots. */
export interface BootHost {
  readonly hardware: Hardware;
  readonly talosVersion: string;
  /** The name EC2 gives the instance. */
  readonly platformHostname: string;
  readonly joinMs: number;
  readonly world: TalosWorld;
  readonly disk: MachineDisk;
  readonly control: NodeControl;
  readonly log: (line: string) => void;
}

/** A machine from one start to the next: what it holds in memory. */
export abstract class Boot implements NodeState {
  readonly bootId = randomUUID();
  readonly bootedAt = new Date();
  readonly timers = new Timers();
  readonly services: ServiceBoard;
  readonly #down = new AbortController();
  /** The resources the API shows. */
  readonly resources: ResourceStore;

  protected constructor(protected readonly host: BootHost) {
    this.services = new ServiceBoard(() => this.resources.changed());
    this.resources = new ResourceStore(nodeSources(this));
  }

  /** Aborts when the machine is down and nothing it was doing will be finished. */
  get down(): AbortSignal {
    return this.#down.signal;
  }

  get hardware(): Hardware {
    return this.host.hardware;
  }

  get talosVersion(): string {
    return this.host.talosVersion;
  }

  get nodeId(): string {
    return this.host.disk.nodeId;
  }

  get hostname(): Hostname {
    return parseHostname(this.config?.facts.hostname ?? this.host.platformHostname);
  }

  abstract readonly status: MachineStatus;
  abstract readonly config: ActiveConfig | undefined;
  abstract readonly nodename: string | undefined;
  abstract readonly etcd: EtcdService | undefined;
  abstract readonly kubernetesNode: NodeRecord | undefined;
  abstract readonly peers: readonly Peer[];

  /** Answers a call meant for this node. Raises `RpcError`. */
  abstract serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer>;

  /** Called when something in the world has changed. */
  abstract worldChanged(): void;

  /** Ends everything; calls under way may end within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.timers.end();
    await this.close(graceMs);
    this.#down.abort();
  }

  /** Closes the ports. */
  protected abstract close(graceMs: number): Promise<void>;
}
