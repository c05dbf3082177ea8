import {
  type ClusterConfig,
  isClusterConfig,
  type LoadedConfig,
  userDataConfig,
} from "../config/loadConfig";
import type { SequenceRun } from "../runtime/sequencer";
import { Uptime } from "../runtime/uptime";
import type { BootHost } from "./boot";
import { installStagedUpgrade, runInitializeSequence } from "./bootSequence";
import { ConfiguredBoot } from "./configuredBoot";
import { logKernelStart } from "./kernelStart";
import { type ControlledMachine, MachineControl } from "./machineControl";
import { type MachineDisk, nextSystem } from "./machineDisk";
import { MaintenanceBoot } from "./maintenanceBoot";
import type { Peer } from "./nodeState";
import type { PowerTasks } from "./powerSequences";
import { Timers } from "./timers";

/** The stage of a machine, as the simulator reports it. */
export type MachinePower = "booting" | "maintenance" | "running" | "rebooting" | "stopped";

/** How fast a machine is, what it may boot with, and what it lends to its boots. */
export interface PowerCycleOptions extends Omit<BootHost, "control"> {
  /** Machine configuration from EC2 user data. */
  readonly userData: string | undefined;
  readonly bootMs: number;
  readonly rebootMs: number;
  readonly shutdownMs: number;
}

/** How long a machine that goes down waits for what it has answered to be sent. */
const graceMs = 5000;

/** A machine's power, and with it one boot after the other. */
export class PowerCycle implements ControlledMachine {
  readonly #options: PowerCycleOptions;
  readonly #host: BootHost;
  readonly #timers = new Timers();
  #uptime: Uptime | undefined;
  #boot: ConfiguredBoot | MaintenanceBoot | undefined;
  /** Ends the wait for a configuration and what is left of starting; `undefined` outside maintenance mode. */
  #endInitialize: (() => Promise<unknown>) | undefined;
  #power: MachinePower = "booting";
  #lastPeer: Peer | undefined;
  #work: Promise<void> = Promise.resolve();
  #isGone = false;
  /** What API calls make it do. */
  readonly control = new MachineControl(this);

  constructor(options: PowerCycleOptions) {
    this.#options = options;
    this.#host = { ...options, control: this.control };
  }

  get disk(): MachineDisk {
    return this.#host.disk;
  }

  get power(): MachinePower {
    return this.#power;
  }

  /** What answers calls; `undefined` while its ports are closed. */
  get boot(): ConfiguredBoot | MaintenanceBoot | undefined {
    return this.#boot;
  }

  get configured(): ConfiguredBoot | undefined {
    return this.#boot instanceof ConfiguredBoot ? this.#boot : undefined;
  }

  /** What it tells discovery, or last told it. */
  get peer(): Peer | undefined {
    return this.configured?.peer ?? this.#lastPeer;
  }

  /** Switches on for the first time. Resolves when the machine is up. */
  start(): Promise<void> {
    return this.#enqueue(() => this.#bootAfter(this.#options.bootMs));
  }

  /** Switches off for good: ends every listener and timer. */
  async stop(): Promise<void> {
    this.#power = "stopped";
    this.#isGone = true;
    this.#timers.end();
    // Ends a boot that still waits, so that the work queued before this comes to its end.
    await this.#boot?.stop(0);
    await this.#enqueue(() => this.#halt(0));
  }

  /** Off at once, as when its plug is pulled. Resolves when it is off. */
  async cut(): Promise<void> {
    this.#power = "stopped";
    this.#uptime = undefined;
    await this.#boot?.stop(0);
    await this.#enqueue(() => this.#halt(0));
    // A boot that was about to end said otherwise.
    this.#power = "stopped";
  }

  /** On again. Resolves when its port is open, or never will be. */
  async restore(): Promise<void> {
    if (this.#isGone || this.#power !== "stopped") return;
    this.#power = "rebooting";
    await this.#enqueue(() => this.#bootAfter(this.#options.rebootMs));
  }

  leaveMaintenance(config: ClusterConfig): void {
    void this.#enqueue(() => this.#endMaintenance(config));
  }

  /** Runs a sequence that ends this boot; one that fails makes the machine restart, as Talos does. */
  goDown(sequenceFor: (tasks: PowerTasks) => SequenceRun): void {
    const boot = this.configured;
    const uptime = this.#uptime;
    if (!boot || !uptime) return;
    const tasks: PowerTasks = {
      boot,
      disk: this.disk,
      faults: this.#host.faults,
      shutdownMs: this.#options.shutdownMs,
      // A machine that lost its power meanwhile is no longer what the sequence began with.
      halt: async () => {
        if (this.#uptime === uptime) await this.#enqueue(() => this.#halt(graceMs));
      },
      restart: () => {
        if (this.#uptime === uptime) this.#restart();
      },
      switchOff: () => {
        if (this.#uptime === uptime) this.#power = "stopped";
      },
    };
    const run = sequenceFor(tasks);
    const before = this.#power;
    if (run.name !== "shutdown") this.#power = "rebooting";
    void uptime.sequencer.run(run).then(async (outcome) => {
      if (outcome === "locked") this.#power = before;
      if (outcome !== "failed" || this.#uptime !== uptime) return;
      await tasks.halt();
      tasks.restart();
    });
  }

  #restart(): void {
    if (this.#power === "stopped") return;
    this.#power = "rebooting";
    void this.#enqueue(() => this.#bootAfter(this.#options.rebootMs));
  }

  async #halt(grace: number): Promise<void> {
    const boot = this.#boot;
    if (this.#power !== "stopped") this.#power = "rebooting";
    const { peer } = this;
    this.#lastPeer = peer && { ...peer, isReachable: false };
    await boot?.stop(grace);
    this.#boot = undefined;
    this.#endInitialize = undefined;
    this.#host.world.changed();
  }

  /** Starts the kernel and what follows. Resolves when a port is open, or never will be. */
  async #bootAfter(delayMs: number): Promise<void> {
    await this.#timers.delay(delayMs);
    if (this.#power === "stopped") return;
    const system = nextSystem(this.disk);
    if (!system) {
      this.#power = "booting";
      this.#host.log("nothing to boot from: the system disk was wiped");
      return;
    }
    const uptime = new Uptime(system);
    this.#uptime = uptime;
    logKernelStart(uptime.logs, this.#host.hardware);
    const onDisk = this.disk.config;
    const config = onDisk ?? userDataConfig(this.#options.userData, this.#host.log);
    // Talos tries user data it cannot read again and again, and never opens its port.
    if (config === "broken") return;
    if (config && isClusterConfig(config)) {
      await runInitializeSequence(uptime, () => Promise.resolve());
      await this.#runConfigured(uptime, config, onDisk);
    } else {
      await this.#enterMaintenance(uptime);
    }
  }

  async #runConfigured(
    uptime: Uptime,
    config: ClusterConfig,
    startedFrom?: LoadedConfig,
  ): Promise<void> {
    this.disk.config = config;
    this.disk.hasEphemeral = true;
    if (await installStagedUpgrade(uptime, this.disk)) {
      this.#restart();
      return;
    }
    const boot = new ConfiguredBoot(this.#host, uptime, config, startedFrom);
    this.#boot = boot;
    await boot.start();
    if (boot.isListening) this.#power = "running";
    this.#host.world.changed();
  }

  async #enterMaintenance(uptime: Uptime): Promise<void> {
    const runningMaintenance = (action: "START" | "STOP") =>
      uptime.events.publish({ name: "TaskEvent", value: { task: "runningMaintenance", action } });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await new Promise<void>((resolve, reject) => {
      const initialized = runInitializeSequence(uptime, async () => {
        try {
          this.#boot = await MaintenanceBoot.start(this.#host, uptime);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
        runningMaintenance("START");
        resolve();
        await released;
        runningMaintenance("STOP");
      });
      this.#endInitialize = () => {
        release();
        return initialized;
      };
    });
    this.#power = "maintenance";
    this.#host.world.changed();
  }

  /** The same kernel goes on with the configuration it was waiting for. */
  async #endMaintenance(config: ClusterConfig): Promise<void> {
    const uptime = this.#uptime;
    const endInitialize = this.#endInitialize;
    if (!uptime || !endInitialize || this.#power === "stopped") return;
    await this.#halt(graceMs);
    await this.#timers.delay(this.#options.rebootMs);
    if (this.#power.valueOf() === "stopped") return;
    await endInitialize();
    await this.#runConfigured(uptime, config);
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const result = this.#work.then(task);
    this.#work = result.catch((error: unknown) => {
      this.#host.log(`the machine failed: ${String(error)}`);
    });
    return result;
  }
}
