import type { LoadedConfig } from "../config/loadConfig";
import type { InstallerRun } from "./installer";
import type { InstalledSystem } from "./installerImage";
import type { WipeablePartition } from "./machineDisk";
import type { ServiceRecipe } from "./serviceCatalog";

/**
 * The actions of API calls on a machine. Each takes effect after the call's answer. The events of a
 * sequence have its `actorId`.
 */
export interface NodeControl {
  /** Stores the first configuration and boots with it. */
  configure(config: LoadedConfig): void;
  /** Applies a configuration, also for later boots. */
  apply(config: LoadedConfig): void;
  /** Stores a configuration for the next boot. */
  stage(config: LoadedConfig): void;
  /** Applies a configuration until a timeout, or until another one is applied. */
  try(config: LoadedConfig, timeoutMs: number): void;
  /** The active configuration and the one on disk; `undefined` in maintenance mode. */
  readonly configs:
    { readonly active: LoadedConfig; readonly persistent: LoadedConfig } | undefined;
  /** Counts a Bootstrap call. */
  countBootstrap(): void;
  reboot(options: RebootOptions): void;
  shutdown(options: ShutdownOptions): void;
  reset(options: ResetOptions): void;
  upgrade(options: UpgradeOptions): void;
  /** Runs the installer of a system, for the next boot. Resolves when it has ended. */
  install(system: InstalledSystem): Promise<InstallerRun>;
  /** Boots the system before the last upgrade. Returns false when there is none. */
  rollback(): boolean;
  /** Starts a stopped service. */
  startService(recipe: ServiceRecipe): void;
  /** Stops a service, with what it runs, until it is started again. */
  stopService(recipe: ServiceRecipe): void;
}

/** Options of a restart. */
export interface RebootOptions {
  /** Empty when no call caused it. */
  readonly actorId: string;
  /** `POWERCYCLE` goes through the firmware, `FORCE` skips all other steps. */
  readonly mode: "DEFAULT" | "POWERCYCLE" | "FORCE";
  /** Cancels running sequences. */
  readonly takeover: boolean;
}

/** Options of a shutdown. */
export interface ShutdownOptions {
  readonly actorId: string;
  /** Doesn't drain the node first. */
  readonly force: boolean;
}

/** Options of a reset. */
export interface ResetOptions {
  readonly actorId: string;
  /** Leaves etcd and Kubernetes first. */
  readonly graceful: boolean;
  /** Whether the machine starts again afterwards. Otherwise it stays off. */
  readonly reboot: boolean;
  /** What to wipe on the system disk: partitions, everything or nothing. */
  readonly wipes: readonly WipeablePartition[] | "disk" | "nothing";
}

/** Options of an upgrade. */
export interface UpgradeOptions {
  readonly actorId: string;
  readonly system: InstalledSystem;
  /** Installs at the next boot instead of now. */
  readonly stage: boolean;
  readonly mode: "DEFAULT" | "POWERCYCLE";
}
