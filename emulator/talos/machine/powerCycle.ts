import {
  type ClusterConfig,
  diskConfig,
  isClusterConfig,
  type LoadedConfig,
  userDataConfig,
} from "../config/loadConfig";
import { ownVolumes } from "../config/ownVolumes";
import type { MachineFaults } from "../faults/machineFaults";
import type { SequenceRun } from "../runtime/sequencer";
import { Uptime } from "../runtime/uptime";
import type { BootHost } from "./boot";
import { installStagedUpgrade, runInitializeSequence } from "./bootSequence";
import { ConfiguredBoot } from "./configuredBoot";
import { openVolumes } from "./diskVolumes";
import { logKernelStart } from "./kernelStart";
import { type ControlledMachine, MachineControl } from "./machineControl";
import { type MachineDisk, nextSystem, placeEtcd, revert } from "./machineDisk";
import { MaintenanceBoot } from "./maintenanceBoot";
import { sayLeaving } from "./maintenanceLines";
import type { Peer } from "./nodeState";
import type { PowerTasks } from "./powerSequences";
import type { SerialConsole } from "./serialConsole";
import { Timers } from "./timers";

/** The stage of a machine in the simulator's terms. */
export type MachinePower = "booting" | "maintenance" | "running" | "rebooting" | "stopped";

/** The timings of a machine, the configuration for its boot, and the services for its boots. */
export interface PowerCycleOptions extends Omit<BootHost, "control"> {
  /** Machine configuration from EC2 user data. */
  readonly userData: string | undefined;
  readonly bootMs: number;
  readonly rebootMs: number;
  readonly shutdownMs: number;
  readonly console: SerialConsole;
}

/** How long a machine that shuts down waits until its answers are sent. */
const GRACE_MS = 5000;

/** A machine's power, and its successive boots. */
export class PowerCycle implements ControlledMachine {
  private readonly options: PowerCycleOptions;
  private readonly host: BootHost;
  private readonly timers = new Timers();
  private uptime: Uptime | undefined;
  private currentBoot: ConfiguredBoot | MaintenanceBoot | undefined;
  /**
   * Ends the wait for a configuration and the rest of the start; `undefined` outside maintenance
   * mode.
   */
  private endInitialize: (() => Promise<unknown>) | undefined;
  private currentPower: MachinePower = "booting";
  private lastPeer: Peer | undefined;
  private work: Promise<void> = Promise.resolve();
  private isGone = false;
  /** Controls it for API calls. */
  readonly control = new MachineControl(this);

  constructor(options: PowerCycleOptions) {
    this.options = options;
    this.host = { ...options, control: this.control };
  }

  get disk(): MachineDisk {
    return this.host.disk;
  }

  get faults(): MachineFaults {
    return this.host.faults;
  }

  get installMs(): number {
    return this.host.restartMs;
  }

  get power(): MachinePower {
    return this.currentPower;
  }

  /** The current boot, which answers calls; `undefined` while its ports are closed. */
  get boot(): ConfiguredBoot | MaintenanceBoot | undefined {
    return this.currentBoot;
  }

  get configured(): ConfiguredBoot | undefined {
    return this.currentBoot instanceof ConfiguredBoot ? this.currentBoot : undefined;
  }

  /** Its discovery entry, or the last one. */
  get peer(): Peer | undefined {
    return this.configured?.peer ?? this.lastPeer;
  }

  /** Switches on for the first time. Resolves when the machine is up. */
  start(): Promise<void> {
    return this.enqueue(() => this.bootAfter(this.options.bootMs));
  }

  /** Switches off permanently: ends every listener and timer. */
  async stop(): Promise<void> {
    this.currentPower = "stopped";
    this.isGone = true;
    this.timers.end();
    // Ends a boot that still waits, so that the queued work can finish.
    await this.currentBoot?.stop(0);
    await this.enqueue(() => this.halt(0));
  }

  /** Switches off at once, as if it was unplugged. Resolves when it is off. */
  async cut(): Promise<void> {
    this.currentPower = "stopped";
    this.uptime = undefined;
    await this.currentBoot?.stop(0);
    await this.enqueue(() => this.halt(0));
    // A boot that was about to end may have set another value.
    this.currentPower = "stopped";
  }

  /** Switches on again. Resolves when its port is open, or never will be. */
  async restore(): Promise<void> {
    if (this.isGone || this.currentPower !== "stopped") {
      return;
    }
    this.currentPower = "rebooting";
    await this.enqueue(() => this.bootAfter(this.options.rebootMs));
  }

  leaveMaintenance(config: ClusterConfig): void {
    void this.enqueue(() => this.endMaintenance(config));
  }

  /** Runs a sequence that ends this boot. A failed one restarts the machine, as in Talos. */
  goDown(sequenceFor: (tasks: PowerTasks) => SequenceRun): void {
    const boot = this.configured;
    const uptime = this.uptime;
    if (!boot || !uptime) {
      return;
    }
    const tasks: PowerTasks = {
      boot,
      disk: this.disk,
      faults: this.host.faults,
      shutdownMs: this.options.shutdownMs,
      // A machine that lost its power meanwhile is in another boot than the sequence.
      halt: async () => {
        if (this.uptime === uptime) {
          await this.enqueue(() => this.halt(GRACE_MS));
        }
      },
      restart: () => {
        if (this.uptime === uptime) {
          this.restart();
        }
      },
      switchOff: () => {
        if (this.uptime === uptime) {
          this.currentPower = "stopped";
        }
      },
    };
    const run = sequenceFor(tasks);
    const before = this.currentPower;
    if (run.name !== "shutdown") {
      this.currentPower = "rebooting";
    }
    void uptime.sequencer.run(run).then(async (outcome) => {
      // A reset wipes the disk after the last notice of the halt.
      this.host.world.changed();
      if (outcome === "locked") {
        this.currentPower = before;
      }
      if (outcome !== "failed" || this.uptime !== uptime) {
        return;
      }
      await tasks.halt();
      tasks.restart();
    });
  }

  private restart(): void {
    if (this.currentPower === "stopped") {
      return;
    }
    this.currentPower = "rebooting";
    void this.enqueue(() => this.bootAfter(this.options.rebootMs));
  }

  private async halt(grace: number): Promise<void> {
    const boot = this.currentBoot;
    if (this.currentPower !== "stopped") {
      this.currentPower = "rebooting";
    }
    const { peer } = this;
    this.lastPeer = peer && { ...peer, isReachable: false };
    await boot?.stop(grace);
    this.currentBoot = undefined;
    this.endInitialize = undefined;
    this.host.world.changed();
  }

  /** Starts the kernel and the boot. Resolves when a port is open, or never will be. */
  private async bootAfter(delayMs: number): Promise<void> {
    await this.timers.delay(delayMs);
    if (this.currentPower === "stopped") {
      return;
    }
    if (this.disk.isUntried && this.faults.leavesNewSystems) {
      revert(this.disk);
    }
    const system = nextSystem(this.disk);
    if (!system) {
      this.currentPower = "booting";
      this.host.log("nothing to boot from: the system disk was wiped");
      return;
    }
    const uptime = new Uptime(system);
    this.uptime = uptime;
    const { console } = this.options;
    console.powerOn();
    uptime.logs.kernel.subscribe((line) => console.print(line, uptime.startedAt));
    logKernelStart(uptime.logs, this.host.hardware, uptime.startedAt);
    const onDisk = this.disk.config;
    const { log } = this.host;
    const config =
      onDisk === undefined
        ? userDataConfig(this.options.userData, system.version, log)
        : diskConfig(onDisk, system.version, log);
    // Talos retries what it can't read forever, and never opens its port.
    if (config === "broken") {
      return;
    }
    if (config && isClusterConfig(config)) {
      await runInitializeSequence(uptime, () => Promise.resolve());
      await this.runConfigured(uptime, config, { startedFrom: onDisk });
    } else {
      await this.enterMaintenance(uptime);
    }
  }

  private async runConfigured(
    uptime: Uptime,
    config: ClusterConfig,
    {
      startedFrom,
      hasLeftMaintenance = false,
    }: { readonly startedFrom?: LoadedConfig | undefined; readonly hasLeftMaintenance?: boolean },
  ): Promise<void> {
    const unopened = openVolumes(this.disk, config.documents);
    if (unopened !== undefined) {
      // The boot waits for its volumes before it opens a port.
      uptime.logs.talos(unopened);
      this.currentPower = "booting";
      this.host.log(`stays in its boot: ${unopened}`);
      return;
    }
    this.disk.config = config;
    this.disk.hasEphemeral = true;
    placeEtcd(this.disk, ownVolumes(config.documents, uptime.system.version).has("ETCD"));
    if (await installStagedUpgrade(uptime, this.disk)) {
      this.restart();
      return;
    }
    // A machine that was switched off meanwhile has no boot that could be stopped, and some boots never end.
    if (this.currentPower.valueOf() === "stopped") {
      return;
    }
    const boot = new ConfiguredBoot(this.host, uptime, config, startedFrom, hasLeftMaintenance);
    this.currentBoot = boot;
    await boot.start();
    if (boot.isListening) {
      this.currentPower = "running";
      this.disk.isUntried = false;
    }
    this.host.world.changed();
  }

  private async enterMaintenance(uptime: Uptime): Promise<void> {
    const runningMaintenance = (action: "START" | "STOP") =>
      uptime.events.publish({ name: "TaskEvent", value: { task: "runningMaintenance", action } });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await new Promise<void>((resolve, reject) => {
      const initialized = runInitializeSequence(uptime, async () => {
        try {
          this.currentBoot = await MaintenanceBoot.start(this.host, uptime);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        runningMaintenance("START");
        resolve();
        await released;
        runningMaintenance("STOP");
      });
      this.endInitialize = () => {
        release();
        return initialized;
      };
    });
    this.currentPower = "maintenance";
    this.host.world.changed();
  }

  /** The same kernel continues with the configuration that it waited for. */
  private async endMaintenance(config: ClusterConfig): Promise<void> {
    const uptime = this.uptime;
    const endInitialize = this.endInitialize;
    if (!uptime || !endInitialize || this.currentPower === "stopped") {
      return;
    }
    await this.halt(GRACE_MS);
    await this.timers.delay(this.options.rebootMs);
    if (this.currentPower.valueOf() === "stopped") {
      return;
    }
    sayLeaving(uptime.logs);
    await endInitialize();
    await this.runConfigured(uptime, config, { hasLeftMaintenance: true });
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    const result = this.work.then(task);
    this.work = result.catch((error: unknown) => {
      this.host.log(`the machine failed: ${String(error)}`);
    });
    return result;
  }
}
