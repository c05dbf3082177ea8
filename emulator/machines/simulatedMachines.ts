import { type MachineDisk, nextSystem } from "../talos/machine/machineDisk";
import { SerialConsole } from "../talos/machine/serialConsole";
import { type NodeTimings, startTalosNode } from "../talos/talosNode";
import type { TalosWorld } from "../talos/talosWorld";
import type { DrivenMachine, MachineDriver, MachineOptions } from "./machineDriver";

/** Options of `SimulatedMachines`. */
export interface SimulatedMachinesOptions {
  readonly timings: NodeTimings;
  readonly world: TalosWorld;
  readonly onLog: (line: string) => void;
}

/** Simulated Talos machines, in this process. */
export class SimulatedMachines implements MachineDriver {
  private readonly disks = new Map<string, MachineDisk>();
  private readonly consoles = new Map<string, SerialConsole>();

  constructor(private readonly options: SimulatedMachinesOptions) {}

  async start(options: MachineOptions): Promise<DrivenMachine> {
    const { instanceId: id, address } = options;
    const console = this.consoles.get(id) ?? new SerialConsole();
    this.consoles.set(id, console);
    const { disks } = this;
    const node = await startTalosNode({
      ...options,
      ...this.options,
      console,
      disk: disks.get(id),
    });
    return {
      address,
      get stage() {
        return node.stage;
      },
      get talosVersion() {
        return nextSystem(node.disk)?.version ?? "none";
      },
      get bootstrapCalls() {
        return node.bootstrapCalls;
      },
      get machineConfiguration() {
        return node.machineConfiguration;
      },
      faultTarget: node.faultTarget,
      stop: async () => {
        // A stopped instance keeps its disk. Talos prefers the configuration on disk to user data, and
        // etcd keeps its membership.
        disks.set(id, node.disk);
        await node.stop();
      },
    };
  }

  console(instanceId: string): Promise<Buffer> {
    return Promise.resolve(this.consoles.get(instanceId)?.output ?? Buffer.alloc(0));
  }

  wipe(instanceId: string): Promise<void> {
    this.disks.delete(instanceId);
    this.consoles.delete(instanceId);
    return Promise.resolve();
  }

  changed(): void {
    this.options.world.changed();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
