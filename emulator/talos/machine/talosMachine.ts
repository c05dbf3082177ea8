import { status } from "@grpc/grpc-js";
import type { CallContext } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { TalosWorld, WorldNode } from "../talosWorld";
import { parseConfig, validateConfig, type LoadedConfig } from "../config/loadConfig";
import type { BootHost } from "./boot";
import { ConfiguredBoot, type ClusterConfig } from "./configuredBoot";
import { MaintenanceBoot } from "./maintenanceBoot";
import { emptyDisk, wipe } from "./machineDisk";
import type { NodeControl, ResetOptions } from "./nodeControl";
import type { Hardware, Peer } from "./nodeState";
import { Timers } from "./timers";

/** Where a machine is, as whoever runs the simulator sees it. */
export type MachinePower = "booting" | "maintenance" | "running" | "rebooting" | "stopped";

/** What a machine is and how fast it is. */
export interface MachineOptions {
  readonly hardware: Hardware;
  readonly platformHostname: string;
  readonly talosVersion: string;
  /** Machine configuration from EC2 user data. */
  readonly userData: string | undefined;
  readonly bootMs: number;
  readonly rebootMs: number;
  readonly joinMs: number;
  readonly world: TalosWorld;
  readonly log: (line: string) => void;
}

/** How long a machine that goes down waits for what it has answered to be sent. */
const graceMs = 5000;

/** A simulated machine: its disk, its power, and one boot after the other. */
export class TalosMachine implements WorldNode {
  readonly #options: MachineOptions;
  readonly #disk = emptyDisk();
  readonly #timers = new Timers();
  readonly #host: BootHost;
  #boot: ConfiguredBoot | MaintenanceBoot | undefined;
  #power: MachinePower = "booting";
  #bootstrapCalls = 0;
  #lastPeer: Peer | undefined;
  #cancelTry: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(options: MachineOptions) {
    this.#options = options;
    this.#host = { ...options, disk: this.#disk, control: this.#control() };
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
    this.#timers.end();
    this.#options.world.remove(this);
    // Ends a boot that still waits, so that the work queued before this comes to its end.
    await this.#boot?.stop(0);
    await this.#enqueue(() => this.#halt(0));
  }

  answersTo(target: string): boolean {
    const { address, privateAddress } = this.#options.hardware;
    const { platformHostname } = this.#options;
    const configured = this.#configured?.hostname;
    return [
      address,
      privateAddress,
      platformHostname,
      platformHostname.split(".")[0],
      configured?.hostname,
      configured?.fqdn,
    ].includes(target);
  }

  get clusterId(): string | undefined {
    return this.#disk.config?.facts?.clusterId;
  }

  get peer() {
    // Discovery keeps a node that reboots, and forgets one that has been reset.
    return this.#disk.config ? (this.#configured?.peer ?? this.#lastPeer) : undefined;
  }

  get issuingCa() {
    return this.#listening?.facts.osCa;
  }

  get etcd() {
    const membership = this.#configured?.etcd?.membership;
    return membership && { cluster: membership.cluster, ca: this.#configured.facts.etcdCa };
  }

  get kubernetes() {
    return this.#configured?.kubernetes;
  }

  get isListening(): boolean {
    return this.#boot instanceof MaintenanceBoot || this.#listening !== undefined;
  }

  sharesCa(caCertificate: string): boolean {
    return this.#configured?.facts.acceptedCas.includes(caCertificate) === true;
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

  get #listening(): ConfiguredBoot | undefined {
    return this.#configured?.isListening === true ? this.#configured : undefined;
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
        if (!config.facts) return;
        this.#disk.config = config;
        this.#restart(() => undefined);
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
      reboot: () => this.#restart(() => undefined),
      shutdown: () => this.#powerOff(() => undefined),
      reset: (options) => this.#reset(options),
    };
  }

  #run(config: LoadedConfig): void {
    if (isClusterConfig(config)) this.#configured?.run(config);
  }

  #reset({ graceful, reboot, partitions }: ResetOptions): void {
    const erase = () => {
      if (graceful) this.#configured?.etcd?.leave();
      wipe(this.#disk, partitions);
    };
    if (reboot) this.#restart(erase);
    else this.#powerOff(erase);
  }

  #restart(whileDown: () => void): void {
    this.#cancelTry?.();
    void this.#enqueue(async () => {
      if (this.#power === "stopped") return;
      this.#power = "rebooting";
      whileDown();
      await this.#halt(graceMs);
      await this.#bootAfter(this.#options.rebootMs);
    });
  }

  #powerOff(whileDown: () => void): void {
    void this.#enqueue(async () => {
      whileDown();
      await this.#halt(graceMs);
      if (this.#power !== "stopped") this.#power = "stopped";
    });
  }

  async #halt(grace: number): Promise<void> {
    const boot = this.#boot;
    this.#lastPeer = this.#configured?.peer;
    await boot?.stop(grace);
    this.#boot = undefined;
    this.#options.world.changed();
  }

  async #bootAfter(delayMs: number): Promise<void> {
    await this.#timers.delay(delayMs);
    if (this.#power === "stopped") return;
    const config = this.#disk.config ?? this.#fromUserData();
    if (config === "broken") return;
    if (config && isClusterConfig(config)) {
      this.#disk.config = config;
      const boot = new ConfiguredBoot(this.#host, config);
      this.#boot = boot;
      await boot.start();
      if (boot.isListening) this.#power = "running";
    } else {
      this.#boot = await MaintenanceBoot.start(this.#host);
      this.#power = "maintenance";
    }
    this.#options.world.changed();
  }

  /** Talos tries user data it cannot read again and again, and never opens its port. */
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
