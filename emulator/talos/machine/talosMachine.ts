import { isIP } from "node:net";
import { status } from "@grpc/grpc-js";
import { MachineFaults } from "../faults/machineFaults";
import type { CallContext } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { DiscoveryIdentity, WorldNode } from "../talosWorld";
import { newDisk, type MachineDisk } from "./machineDisk";
import { MaintenanceBoot } from "./maintenanceBoot";
import type { NodeState } from "./nodeState";
import { PowerCycle, type MachinePower, type PowerCycleOptions } from "./powerCycle";

/** Options of a machine. */
export interface MachineOptions extends Omit<PowerCycleOptions, "disk" | "faults"> {
  readonly talosVersion: string;
  readonly schematic?: string | undefined;
  /** Its disk from an earlier run. Default: a new one from its image. */
  readonly disk?: MachineDisk | undefined;
}

/** A simulated machine: its disk, its power, and its presence among other machines. */
export class TalosMachine implements WorldNode {
  private readonly options: MachineOptions;
  private readonly cycle: PowerCycle;
  /** Its faults. */
  readonly faults = new MachineFaults(
    { cut: () => this.cycle.cut(), restore: () => this.cycle.restore() },
    async () => this.cycle.configured?.faultsChanged(),
  );

  constructor(options: MachineOptions) {
    const { talosVersion, schematic } = options;
    const disk = options.disk ?? newDisk({ version: talosVersion, schematic });
    this.options = options;
    this.cycle = new PowerCycle({ ...options, disk, faults: this.faults });
  }

  /** Its disk, which it keeps while it is off. */
  get disk(): MachineDisk {
    return this.cycle.disk;
  }

  get power(): MachinePower {
    return this.cycle.power;
  }

  /** The number of Bootstrap calls in the machine's life, successful or not. */
  get bootstrapCalls(): number {
    return this.cycle.control.bootstrapCalls;
  }

  /** The active configuration or, between two boots, the one on disk. */
  get machineConfiguration(): string | undefined {
    return this.cycle.configured?.config.active ?? this.disk.config?.text;
  }

  /** Switches on. Resolves when the machine is up. */
  async start(): Promise<void> {
    this.options.world.add(this);
    await this.cycle.start();
  }

  /** Switches off permanently, and ends every listener and timer. */
  async stop(): Promise<void> {
    this.options.world.remove(this);
    await this.cycle.stop();
  }

  answersTo(target: string, fromNetworkId: string): boolean {
    const { address, privateAddress, networkId } = this.options.hardware;
    if (target === address) {
      return true;
    }
    if (networkId !== fromNetworkId) {
      return false;
    }
    if (target === privateAddress) {
      return true;
    }
    // Each forwarded call checks all machines, and names take longer than addresses.
    if (isIP(target) !== 0) {
      return false;
    }
    const { platformHostname } = this.options;
    const configured = this.cycle.configured?.hostname;
    return [
      platformHostname,
      platformHostname.split(".")[0],
      configured?.hostname,
      configured?.fqdn,
    ].includes(target);
  }

  get address(): string {
    return this.options.hardware.address;
  }

  get endpoint(): string | undefined {
    return this.facts?.endpoint;
  }

  get identity(): DiscoveryIdentity | undefined {
    const { facts } = this;
    return facts && { id: facts.clusterId, secret: facts.clusterSecret };
  }

  /** What it runs, or ran last. Undefined while it has no configuration. */
  private get facts() {
    const { config } = this.disk;
    return config && (this.cycle.configured?.facts ?? config.facts);
  }

  get peer() {
    // Discovery keeps an unreachable node for half an hour, and forgets a reset one.
    return this.disk.config ? this.cycle.peer : undefined;
  }

  get etcd() {
    const membership = this.cycle.configured?.etcd?.membership;
    return membership && { cluster: membership.cluster, trust: membership.member.trust };
  }

  get kubernetes() {
    return this.cycle.configured?.kubernetes;
  }

  get state(): NodeState | undefined {
    return this.cycle.configured?.isListening === true ? this.cycle.configured : undefined;
  }

  get isOn(): boolean {
    return this.cycle.power !== "stopped";
  }

  get isListening(): boolean {
    const isOpen =
      this.cycle.boot instanceof MaintenanceBoot || this.cycle.configured?.isListening === true;
    return isOpen && !this.faults.wire.isShut;
  }

  sharesCa(caCertificate: string): boolean {
    const accepts = this.cycle.configured?.facts.acceptedCas.includes(caCertificate) === true;
    return accepts && this.faults.foreignCa === undefined;
  }

  async *serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer> {
    const boot = this.cycle.boot;
    if (!boot) {
      throw wentDown();
    }
    const signal = AbortSignal.any([context.signal, boot.down]);
    yield* boot.serve(path, request, { ...context, signal });
    if (boot.down.aborted) {
      throw wentDown();
    }
  }

  worldChanged(): void {
    this.cycle.boot?.worldChanged();
  }
}

/** The error of a forwarded call if the target shuts down. */
function wentDown(): RpcError {
  return new RpcError(status.UNAVAILABLE, "error reading from server: EOF");
}
