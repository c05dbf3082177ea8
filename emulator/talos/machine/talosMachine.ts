import { status } from "@grpc/grpc-js";
import type { CallContext } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { SequenceRun } from "../runtime/sequencer";
import { Uptime } from "../runtime/uptime";
import type { TalosWorld, WorldNode } from "../talosWorld";
import { parseConfig, validateConfig, type LoadedConfig } from "../config/loadConfig";
import { MachineFaults } from "../faults/machineFaults";
import type { BootHost } from "./boot";
import { installStagedUpgrade, runInitializeSequence } from "./bootSequence";
import { ConfiguredBoot, type ClusterConfig } from "./configuredBoot";
import { logKernelStart } from "./kernelStart";
import { MaintenanceBoot } from "./maintenanceBoot";
import { newDisk, nextSystem, revert, type MachineDisk } from "./machineDisk";
import type { NodeControl } from "./nodeControl";
import type { Hardware, NodeState, Peer } from "./nodeState";
import {
  rebootSequence,
  resetSequence,
  shutdownSequence,
  upgradeSequence,
  type PowerTasks,
} from "./powerSequences";
import { Timers } from "./timers";

/** Where a machine is, as whoever runs the simulator sees it. */
export type MachinePower = "booting" | "maintenance" | "running" | "rebooting" | "stopped";

/** What a machine is and how fast it is. */
export interface MachineOptions {
  readonly hardware: Hardware;
  readonly platformHostname: string;
  readonly talosVersion: string;
  /** What it kept from when it was on before. Default: what its image holds. */
  readonly disk?: MachineDisk | undefined;
  /** Machine configuration from EC2 user data. */
  readonly userData: string | undefined;
  readonly bootMs: number;
  readonly rebootMs: number;
  readonly shutdownMs: number;
  readonly joinMs: number;
  readonly world: TalosWorld;
  readonly log: (line: string) => void;
}

/** How long a machine that goes down waits for what it has answered to be sent. */
const graceMs = 5000;

/** A simulated machine: its disk, its power, and one boot after the other. */
export class TalosMachine implements WorldNode {
  readonly #options: MachineOptions;
  readonly #disk: MachineDisk;
  readonly #timers = new Timers();
  readonly #host: BootHost;
  #uptime: Uptime | undefined;
  #boot: ConfiguredBoot | MaintenanceBoot | undefined;
  /** Ends the wait for a configuration and what is left of starting; `undefined` outside maintenance mode. */
  #leaveMaintenance: (() => Promise<unknown>) | undefined;
  #power: MachinePower = "booting";
  #bootstrapCalls = 0;
  #lastPeer: Peer | undefined;
  #cancelTry: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();
  #isGone = false;
  /** What is wrong with it. */
  readonly faults = new MachineFaults(
    { cut: () => this.#cutPower(), restore: () => this.#restorePower() },
    async () => this.#configured?.faultsChanged(),
  );

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#disk = options.disk ?? newDisk({ version: options.talosVersion, schematic: undefined });
    this.#host = { ...options, disk: this.#disk, control: this.#control(), faults: this.faults };
  }

  /** What it keeps while it is off. */
  get disk(): MachineDisk {
    return this.#disk;
  }

  get power(): MachinePower {
    return this.#power;
  }

  /** Bootstrap calls that have come to their handler, successful or not, over the machine's life. */
  get bootstrapCalls(): number {
    return this.#bootstrapCalls;
  }

  /** The configuration that runs or, between two boots, the one on disk. */
  get machineConfiguration(): string | undefined {
    return this.#configured?.config.active ?? this.#disk.config?.text;
  }

  /** Switches on. Resolves when the machine is up. */
  async start(): Promise<void> {
    this.#options.world.add(this);
    await this.#enqueue(() => this.#bootAfter(this.#options.bootMs));
  }

  /** Switches off for good: ends every listener and timer. */
  async stop(): Promise<void> {
    this.#power = "stopped";
    this.#isGone = true;
    this.#timers.end();
    this.#options.world.remove(this);
    // Ends a boot that still waits, so that the work queued before this comes to its end.
    await this.#boot?.stop(0);
    await this.#enqueue(() => this.#halt(0));
  }

  answersTo(target: string, fromNetworkId: string): boolean {
    const { address, privateAddress, networkId } = this.#options.hardware;
    const { platformHostname } = this.#options;
    const configured = this.#configured?.hostname;
    if (networkId !== fromNetworkId) {
      return target === address;
    }
    return [
      address,
      privateAddress,
      platformHostname,
      platformHostname.split(".")[0],
      configured?.hostname,
      configured?.fqdn,
    ].includes(target);
  }

  get address(): string {
    return this.#options.hardware.address;
  }

  get clusterId(): string | undefined {
    return this.#disk.config?.facts?.clusterId;
  }

  get peer() {
    // Discovery keeps a node that is down, for half an hour, and forgets one that has been reset.
    return this.#disk.config ? (this.#configured?.peer ?? this.#lastPeer) : undefined;
  }

  get etcd() {
    const membership = this.#configured?.etcd?.membership;
    return membership && { cluster: membership.cluster, ca: this.#configured.facts.etcdCa };
  }

  get kubernetes() {
    return this.#configured?.kubernetes;
  }

  get state(): NodeState | undefined {
    return this.#configured?.isListening === true ? this.#configured : undefined;
  }

  get isListening(): boolean {
    const isOpen = this.#boot instanceof MaintenanceBoot || this.#configured?.isListening === true;
    return isOpen && !this.faults.wire.isShut;
  }

  sharesCa(caCertificate: string): boolean {
    const accepts = this.#configured?.facts.acceptedCas.includes(caCertificate) === true;
    return accepts && this.faults.foreignCa === undefined;
  }

  async *serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer> {
    const boot = this.#boot;
    if (!boot) throw wentDown();
    const signal = AbortSignal.any([context.signal, boot.down]);
    yield* boot.serve(path, request, { ...context, signal });
    if (boot.down.aborted) throw wentDown();
  }

  worldChanged(): void {
    this.#boot?.worldChanged();
  }

  get #configured(): ConfiguredBoot | undefined {
    return this.#boot instanceof ConfiguredBoot ? this.#boot : undefined;
  }

  #control(): NodeControl {
    const activeConfig = () => this.#configured?.active;
    const persistentConfig = () => this.#disk.config;
    return {
      get configs() {
        const active = activeConfig();
        return active && { active, persistent: persistentConfig() ?? active };
      },
      configure: (config) => {
        if (!isClusterConfig(config)) return;
        this.#disk.config = config;
        void this.#enqueue(() => this.#endMaintenance(config));
      },
      apply: (config) => {
        this.#cancelTry?.();
        this.#disk.config = config;
        this.#run(config);
      },
      stage: (config) => {
        this.#cancelTry?.();
        this.#disk.config = config;
      },
      try: (config, timeoutMs) => {
        const before = this.#configured?.active;
        this.#run(config);
        this.#cancelTry?.();
        this.#cancelTry = this.#timers.after(timeoutMs, () => before && this.#run(before));
      },
      countBootstrap: () => {
        this.#bootstrapCalls += 1;
      },
      reboot: (options) => this.#goDown((tasks) => rebootSequence(tasks, options)),
      shutdown: (options) => this.#goDown((tasks) => shutdownSequence(tasks, options)),
      reset: (options) => this.#goDown((tasks) => resetSequence(tasks, options)),
      upgrade: (options) => this.#goDown((tasks) => upgradeSequence(tasks, options)),
      rollback: () => {
        if (!revert(this.#disk)) return false;
        const options = { actorId: "", mode: "DEFAULT", takeover: true } as const;
        this.#goDown((tasks) => rebootSequence(tasks, options));
        return true;
      },
      startService: (recipe) => this.#configured?.startService(recipe),
      stopService: (recipe) => this.#configured?.stopService(recipe),
    };
  }

  #run(config: LoadedConfig): void {
    if (isClusterConfig(config)) this.#configured?.run(config);
  }

  /** Runs a sequence that ends this boot; one that fails makes the machine restart, as Talos does. */
  #goDown(sequenceFor: (tasks: PowerTasks) => SequenceRun): void {
    const boot = this.#configured;
    const uptime = this.#uptime;
    if (!boot || !uptime) return;
    this.#cancelTry?.();
    const tasks: PowerTasks = {
      boot,
      disk: this.#disk,
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

  async #cutPower(): Promise<void> {
    this.#power = "stopped";
    this.#uptime = undefined;
    this.#cancelTry?.();
    await this.#boot?.stop(0);
    await this.#enqueue(() => this.#halt(0));
    // A boot that was about to end said otherwise.
    this.#power = "stopped";
  }

  async #restorePower(): Promise<void> {
    if (this.#isGone || this.#power !== "stopped") return;
    this.#power = "rebooting";
    await this.#enqueue(() => this.#bootAfter(this.#options.rebootMs));
  }

  #restart(): void {
    if (this.#power === "stopped") return;
    this.#power = "rebooting";
    void this.#enqueue(() => this.#bootAfter(this.#options.rebootMs));
  }

  async #halt(grace: number): Promise<void> {
    const boot = this.#boot;
    if (this.#power !== "stopped") this.#power = "rebooting";
    const peer = this.#configured?.peer ?? this.#lastPeer;
    this.#lastPeer = peer && { ...peer, isReachable: false };
    await boot?.stop(grace);
    this.#boot = undefined;
    this.#leaveMaintenance = undefined;
    this.#options.world.changed();
  }

  /** Starts the kernel and what follows. Resolves when a port is open, or never will be. */
  async #bootAfter(delayMs: number): Promise<void> {
    await this.#timers.delay(delayMs);
    if (this.#power === "stopped") return;
    const system = nextSystem(this.#disk);
    if (!system) {
      this.#power = "booting";
      this.#options.log("nothing to boot from: the system disk was wiped");
      return;
    }
    const uptime = new Uptime(system);
    this.#uptime = uptime;
    logKernelStart(uptime.logs, this.#options.hardware);
    const onDisk = this.#disk.config;
    const config = onDisk ?? this.#fromUserData();
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
    this.#disk.config = config;
    if (await installStagedUpgrade(uptime, this.#disk)) {
      this.#restart();
      return;
    }
    const boot = new ConfiguredBoot(this.#host, uptime, config, startedFrom);
    this.#boot = boot;
    await boot.start();
    if (boot.isListening) this.#power = "running";
    this.#options.world.changed();
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
      this.#leaveMaintenance = () => {
        release();
        return initialized;
      };
    });
    this.#power = "maintenance";
    this.#options.world.changed();
  }

  /** The same kernel goes on with the configuration it was waiting for. */
  async #endMaintenance(config: ClusterConfig): Promise<void> {
    const uptime = this.#uptime;
    const leave = this.#leaveMaintenance;
    if (!uptime || !leave || this.#power === "stopped") return;
    await this.#halt(graceMs);
    await this.#timers.delay(this.#options.rebootMs);
    if (this.#power.valueOf() === "stopped") return;
    await leave();
    await this.#runConfigured(uptime, config);
  }

  #fromUserData(): LoadedConfig | "broken" | undefined {
    const { userData, log } = this.#options;
    if (userData === undefined || userData.trim() === "") return undefined;
    try {
      const config = parseConfig(userData);
      validateConfig(config);
      return config;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(`failed to load config via platform aws: ${reason}`);
      return "broken";
    }
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const result = this.#work.then(task);
    this.#work = result.catch((error: unknown) => {
      this.#options.log(`the machine failed: ${String(error)}`);
    });
    return result;
  }
}

/** What a node that forwarded a call sees when the other one goes down. */
function wentDown(): RpcError {
  return new RpcError(status.UNAVAILABLE, "error reading from server: EOF");
}

function isClusterConfig(config: LoadedConfig): config is ClusterConfig {
  return config.facts !== undefined;
}
