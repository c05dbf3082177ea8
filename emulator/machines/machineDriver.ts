import type { FaultTarget } from "../talos/faults/faultKind";
import type { DataVolume } from "../talos/machine/disks";

/** An EC2 instance that is switched on. A machine driver makes a machine of it. */
export interface MachineOptions {
  readonly instanceId: string;
  /** Loopback address at which programs reach its ports 50000, 50001 and 6443. */
  readonly address: string;
  /** Whether AWS gave it a public address. Otherwise `address` isn't known outside. */
  readonly hasPublicAddress: boolean;
  /** Address in its subnet, by which other machines know it. */
  readonly privateAddress: string;
  /** Its VPC. Machines of other VPCs may have the same private address. */
  readonly networkId: string;
  /** Its name in EC2's private DNS: `ip-10-0-1-5.ec2.internal`. */
  readonly hostname: string;
  readonly instanceType: string;
  readonly region: string;
  readonly zone: string;
  readonly architecture: "amd64" | "arm64";
  /** The Talos release of its image: `v1.14.1`. */
  readonly talosVersion: string;
  /** The id of its image's Image Factory schematic. */
  readonly schematic: string;
  /** Returns the volumes attached besides its root volume. Called at each use. */
  readonly dataVolumes: () => readonly DataVolume[];
  /** Machine configuration from user data, decoded; without it, a machine with a new disk waits in maintenance mode. */
  readonly userData?: string;
}

/** A machine that is switched on. */
export interface DrivenMachine {
  /** `booting`, `maintenance`, `running`, `rebooting` or `stopped`. */
  readonly stage: string;
  /** Where this computer reaches its ports, for load balancers and health checks. */
  readonly address: string;
  /** The Talos on its disk, which it boots. */
  readonly talosVersion: string;
  /** How many Bootstrap calls it received; 0 if the driver can't count them. */
  readonly bootstrapCalls: number;
  /** Its machine configuration as YAML. Undefined before the first one, and if the driver can't read it. */
  readonly machineConfiguration: string | undefined;
  /** Where faults are injected. Undefined if the driver has none. */
  readonly faultTarget: FaultTarget | undefined;
  /** Switches it off, as AWS stops an instance. Its disk stays. */
  stop(): Promise<void>;
}

/** Runs the machines of the embedded cloud: each is the computer of an EC2 instance that is switched on. */
export interface MachineDriver {
  /**
   * The address of this computer that machines reach. Load balancers and the cloud's DNS listen there. Default: machines
   * reach addresses of the loopback.
   */
  readonly hostAddress?: string | undefined;
  /** Whether machines reach the internet through this computer. Then the cloud's DNS knows its names too. Default: false. */
  readonly reachesInternet?: boolean;
  /**
   * Switches a machine on. It has the disk of its last run, unless that was wiped.
   *
   * @throws Error that says why it doesn't start
   */
  start(options: MachineOptions): Promise<DrivenMachine>;
  /** The last 64 KB that a machine has printed, of all its runs. Empty for one that never ran. */
  console(instanceId: string): Promise<Buffer>;
  /** Takes the disk of a terminated instance away. It is switched off before. */
  wipe(instanceId: string): Promise<void>;
  /** Tells of a change around the machines, such as another volume. */
  changed?(): void;
  /** Ends what the driver itself runs. All machines are switched off before. */
  close(): Promise<void>;
}
