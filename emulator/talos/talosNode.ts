import { once } from "node:events";
import { createServer } from "node:net";
import type { FaultTarget } from "./faults/faultKind";
import type { DataVolume } from "./machine/disks";
import type { MachineDisk } from "./machine/machineDisk";
import { apidPort } from "./machine/ports";
import { SerialConsole } from "./machine/serialConsole";
import { TalosMachine } from "./machine/talosMachine";
import type { TalosWorld } from "./talosWorld";

/** Timings of a simulated node, in milliseconds. */
export interface NodeTimings {
  /** From power on until port 50000 is open. Default 1000. */
  readonly bootMs: number;
  /** How long the port is closed when the node restarts. Default 1500. */
  readonly rebootMs: number;
  /**
   * How long a node that shuts down takes to end its pods before its port closes. Default 1500; 0
   * if left out. talosctl checks for events of a reboot every second, so it misses a shutdown that
   * is shorter.
   */
  readonly shutdownMs?: number;
  /** How long etcd takes to start, a learner to vote, and a Kubernetes node to be ready. Default 1000. */
  readonly joinMs: number;
  /**
   * About how long the kubelet, or a static pod, takes to restart when its configuration changes.
   * Default: as long as `joinMs`, but from 100 to 1000.
   */
  readonly restartMs?: number;
  /**
   * From the opening of port 50000 in maintenance mode until the node learns the time, and makes
   * another certificate for that. Default 500; 0, before the port opens, if left out.
   */
  readonly timeSyncMs?: number;
  /** How long a node that shuts down respects PodDisruptionBudgets. Real Talos: 5 minutes. Default: 5000. */
  readonly drainMs?: number;
}

/** Timings for interactive use. Tests use 0. */
export const defaultNodeTimings: NodeTimings = {
  bootMs: 1000,
  rebootMs: 1500,
  shutdownMs: 1500,
  joinMs: 1000,
  timeSyncMs: 500,
};

/** The EC2 instance that a simulated node is. */
export interface TalosNodeOptions {
  /**
   * Loopback address it listens on, its public address in the simulation: 50000 apid and, on control
   * planes, 50001 trustd and 6443 the Kubernetes API.
   */
  readonly address: string;
  /** Whether AWS gave it a public address. Otherwise `address` isn't known outside. Default: true. */
  readonly hasPublicAddress?: boolean;
  /** Address in its subnet, by which the other nodes know it. Nothing listens on it. */
  readonly privateAddress: string;
  /** Its VPC. Machines of other VPCs may have the same private address. Default: a single VPC. */
  readonly networkId?: string;
  /** Its name in EC2's private DNS: `ip-10-0-1-5.ec2.internal`. */
  readonly hostname: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
  readonly architecture: "amd64" | "arm64";
  /** The Talos release of its image: `v1.12.1`. */
  readonly talosVersion: string;
  /** The id of its image's Image Factory schematic. Default: none. */
  readonly schematic?: string | undefined;
  /** Returns the volumes attached besides its root volume. Called at each use. Default: none. */
  readonly dataVolumes?: () => readonly DataVolume[];
  /** The disk of an instance that was stopped before. Default: a new one. */
  readonly disk?: MachineDisk | undefined;
  /** The console of an instance that ran before. Default: a new one. */
  readonly console?: SerialConsole | undefined;
  /** Machine configuration from user data, decoded; without it the node boots into maintenance mode. */
  readonly userData?: string;
  readonly timings: NodeTimings;
  /** The simulated network with the nodes that it can reach. */
  readonly world: TalosWorld;
  /** Called with each log line of the node. Lines hold no secrets. */
  readonly onLog?: (line: string) => void;
}

/** A simulated Talos node. */
export interface TalosNode {
  readonly stage: "booting" | "maintenance" | "running" | "rebooting" | "stopped";
  /** The number of Bootstrap calls, successful or refused. */
  readonly bootstrapCalls: number;
  /** Its active configuration as YAML, with secrets. Undefined while it has none. */
  readonly machineConfiguration: string | undefined;
  /** Its disk: configuration, etcd's data and everything else that survives a stop. */
  readonly disk: MachineDisk;
  /** What it prints. */
  readonly console: SerialConsole;
  /** Its faults. */
  readonly faultTarget: FaultTarget;
  /**
   * Switches it off permanently, like a terminated instance: every listener, connection and timer
   * ends.
   */
  stop(): Promise<void>;
}

/**
 * Switches on a simulated Talos node. Resolves when it is powered, `bootMs` before its port opens;
 * with `bootMs` 0 when its port is open.
 *
 * Throws an `Error` if it can't listen on the address. The address is then taken, or this computer
 * doesn't have it: macOS has only 127.0.0.1 until an address is added.
 */
export async function startTalosNode(options: TalosNodeOptions): Promise<TalosNode> {
  const { address, timings, world, instanceId } = options;
  await requireAddress(address);
  const { console = new SerialConsole() } = options;
  const machine = new TalosMachine({
    shutdownMs: 0,
    restartMs: Math.min(1000, Math.max(100, timings.joinMs)),
    drainMs: 5000,
    timeSyncMs: 0,
    ...timings,
    hardware: {
      address,
      hasPublicAddress: options.hasPublicAddress ?? true,
      privateAddress: options.privateAddress,
      networkId: options.networkId ?? "",
      instanceId,
      instanceType: options.instanceType,
      region: options.region,
      zone: options.zone,
      architecture: options.architecture,
      get dataVolumes() {
        return options.dataVolumes?.() ?? [];
      },
    },
    platformHostname: options.hostname,
    talosVersion: options.talosVersion,
    schematic: options.schematic,
    disk: options.disk,
    console,
    userData: options.userData,
    world,
    log: (line) => options.onLog?.(`${instanceId}: ${line}`),
  });
  const started = machine.start();
  if (timings.bootMs === 0) {
    await started;
  }
  // A boot that fails later is logged by the machine.
  else {
    started.catch(() => undefined);
  }
  return {
    get stage() {
      return machine.power;
    },
    get bootstrapCalls() {
      return machine.bootstrapCalls;
    },
    get machineConfiguration() {
      return machine.machineConfiguration;
    },
    disk: machine.disk,
    console,
    faultTarget: {
      id: instanceId,
      address,
      privateAddress: options.privateAddress,
      zone: options.zone,
      faults: machine.faults,
      get machineType() {
        return machine.state?.config?.facts.machineType;
      },
    },
    stop: () => machine.stop(),
  };
}

async function requireAddress(address: string): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(apidPort, address);
    await once(probe, "listening");
  } catch (cause) {
    throw new Error(
      `cannot listen on ${address}:${apidPort} for a simulated Talos node; free the port, or add the address to the loopback interface (macOS: sudo ifconfig lo0 alias ${address})`,
      { cause },
    );
  }
  probe.close();
  await once(probe, "close");
}
