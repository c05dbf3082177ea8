import type { LoadedConfig } from "../config/loadConfig";
import type { InstalledSystem } from "./installerImage";
import type { WipeablePartition } from "./machineDisk";
import type { ServiceRecipe } from "./serviceCatalog";

/**
 * What an API call can make a machine do. Each takes effect after the call has been answered; what
 * takes a sequence tells of its steps in events that carry `actorId`.
 */
export interface NodeControl {
  /** Keeps the first configuration and boots with it. */
  configure(config: LoadedConfig): void;
  /** Runs a configuration from now on and boots with it. */
  apply(config: LoadedConfig): void;
  /** Boots with a configuration the next time. */
  stage(config: LoadedConfig): void;
  /** Runs a configuration until the time is over or another is applied. */
  try(config: LoadedConfig, timeoutMs: number): void;
  /** The configuration that runs and the one on disk; `undefined` in maintenance mode. */
  readonly configs:
    { readonly active: LoadedConfig; readonly persistent: LoadedConfig } | undefined;
  /** Counts a Bootstrap call that has come to its handler. */
  countBootstrap(): void;
  reboot(options: RebootOptions): void;
  shutdown(options: ShutdownOptions): void;
  reset(options: ResetOptions): void;
  upgrade(options: UpgradeOptions): void;
  /** Boots the system before the last upgrade; false if there is none. */
  rollback(): boolean;
  /** Brings a service up that does not run. */
  startService(recipe: ServiceRecipe): void;
  /** Ends a service, and what it runs, until it is started again. */
  stopService(recipe: ServiceRecipe): void;
}

/** How a machine restarts. */
export interface RebootOptions {
  /** Empty where no call asked for it. */
  readonly actorId: string;
  /** `POWERCYCLE` goes through the firmware, `FORCE` does nothing else before. */
  readonly mode: "DEFAULT" | "POWERCYCLE" | "FORCE";
  /** Cancels whatever else the machine is about. */
  readonly takeover: boolean;
}

/** How a machine is switched off. */
export interface ShutdownOptions {
  readonly actorId: string;
  /** Doesn't drain the node first. */
  readonly force: boolean;
}

/** How a machine is reset. */
export interface ResetOptions {
  readonly actorId: string;
  /** Leaves etcd and Kubernetes first. */
  readonly graceful: boolean;
  /** Starts again afterwards; otherwise the machine stays off. */
  readonly reboot: boolean;
  /** What is wiped of the system disk: partitions, all of it, or nothing. */
  readonly wipes: readonly WipeablePartition[] | "disk" | "nothing";
}

/** How a machine gets another system. */
export interface UpgradeOptions {
  readonly actorId: string;
  readonly system: InstalledSystem;
  /** Installs it in the next boot instead of now. */
  readonly stage: boolean;
  readonly mode: "DEFAULT" | "POWERCYCLE";
}
