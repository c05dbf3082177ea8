import { isDeepStrictEqual } from "node:util";
import type { ComponentFacts } from "../config/componentFacts";
import { ResourceStore } from "../cosi/resourceStore";
import { nodeSources } from "../cosi/sources/nodeSources";
import type { EtcdService } from "../etcd/etcdService";
import type { MachineFaults } from "../faults/machineFaults";
import type { ContainerStatus } from "../kubernetes/containerStatus";
import type { NodeRecord } from "../kubernetes/nodeRecord";
import type { StaticPodDefinition, StaticPodSources } from "../kubernetes/staticPodDefinitions";
import type { SystemPod } from "../kubernetes/systemPods";
import type { CallContext } from "../rpc/method";
import type { Uptime } from "../runtime/uptime";
import type { TalosWorld } from "../talosWorld";
import { parseHostname, type Hostname } from "./hostname";
import type { MachineDisk } from "./machineDisk";
import { statusEvent, type MachineStatus } from "./machineStatus";
import type { NodeControl } from "./nodeControl";
import type { ActiveConfig, Hardware, NodeState, Peer } from "./nodeState";
import type { ServiceBoard } from "./serviceBoard";
import { Timers } from "./timers";

/** What a boot uses of its machine. */
export interface BootHost {
  readonly hardware: Hardware;
  /** The instance's name in EC2's private DNS. */
  readonly platformHostname: string;
  readonly joinMs: number;
  readonly restartMs: number;
  readonly drainMs: number;
  readonly timeSyncMs: number;
  readonly world: TalosWorld;
  readonly disk: MachineDisk;
  readonly control: NodeControl;
  readonly faults: MachineFaults;
  readonly log: (line: string) => void;
}

/** One boot of a machine, with one configuration or none. It ends with another configuration or a shutdown. */
export abstract class Boot implements NodeState {
  readonly timers = new Timers();
  /** A configured machine knows the time before it opens its ports. */
  readonly isTimeSynced: boolean = true;
  private readonly currentDown = new AbortController();
  private lastStatus: MachineStatus | undefined;
  private unwatch: (() => void) | undefined;
  /** The resources that the API serves. */
  readonly resources: ResourceStore;

  protected constructor(
    protected readonly host: BootHost,
    readonly uptime: Uptime,
  ) {
    this.resources = new ResourceStore(nodeSources(this));
  }

  /** Aborted when the machine is down. No pending work is finished then. */
  get down(): AbortSignal {
    return this.currentDown.signal;
  }

  get hardware(): Hardware {
    return this.host.hardware;
  }

  get services(): ServiceBoard {
    return this.uptime.services;
  }

  get talosVersion(): string {
    return this.uptime.system.version;
  }

  get nodeId(): string {
    return this.host.disk.nodeId;
  }

  get hostname(): Hostname {
    return parseHostname(this.config?.facts.hostname ?? this.host.platformHostname);
  }

  get now(): number {
    return this.host.faults.now();
  }

  get isDiskFull(): boolean {
    return this.host.faults.isDiskFull;
  }

  get disk(): MachineDisk {
    return this.host.disk;
  }

  abstract readonly status: MachineStatus;
  abstract readonly config: ActiveConfig | undefined;
  abstract readonly nodename: string | undefined;
  abstract readonly etcd: EtcdService | undefined;
  abstract readonly kubernetesNode: NodeRecord | undefined;
  abstract readonly pods: readonly SystemPod[];
  abstract readonly staticPods: readonly StaticPodDefinition[];
  abstract deadContainerLog(id: string): readonly string[] | undefined;
  abstract readonly staticPodSources: StaticPodSources | undefined;
  abstract readonly renderedKubelet: ComponentFacts | undefined;
  abstract readonly staticPodStatuses: Readonly<Record<string, ContainerStatus>>;
  abstract readonly peers: readonly Peer[];

  /** Answers a call to this node, under its faults. Throws `RpcError`. */
  serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer> {
    return this.host.faults.serve({
      path,
      request,
      inMaintenance: this.config === undefined,
      signal: context.signal,
      answer: () => this.answer(path, request, context),
    });
  }

  /** Answers a call. Throws `RpcError`. */
  protected abstract answer(
    path: string,
    request: Buffer,
    context: CallContext,
  ): AsyncIterable<Buffer>;

  /** Called on each change in the world. */
  abstract worldChanged(): void;

  /** Ends the boot. Running calls may finish within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.timers.end();
    this.unwatch?.();
    await this.close(graceMs);
    this.currentDown.abort();
  }

  /** Starts following the machine's services and stage. */
  protected begin(): void {
    const { hostname, hardware } = this;
    this.unwatch = this.uptime.watch(() => this.changed());
    this.uptime.events.publish({
      name: "AddressEvent",
      value: {
        hostname: hostname.hostname,
        addresses: [hardware.privateAddress, hardware.address],
      },
    });
    this.changed();
  }

  /** Notifies watches of resources and, on another status, readers of events. */
  protected changed(): void {
    const { status } = this;
    if (!isDeepStrictEqual(status, this.lastStatus)) {
      this.lastStatus = status;
      this.uptime.events.publish({ name: "MachineStatusEvent", value: statusEvent(status) });
    }
    this.resources.changed();
  }

  /** Closes the ports. */
  protected abstract close(graceMs: number): Promise<void>;
}
