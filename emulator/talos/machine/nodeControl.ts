import type { LoadedConfig } from "../config/loadConfig";
import type { WipeablePartition } from "./machineDisk";

/** What an API call can make a machine do. Each takes effect after the call has been answered. */
export interface NodeControl {
  /** Keeps the first configuration and restarts with it. */
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
  reboot(): void;
  shutdown(): void;
  reset(options: ResetOptions): void;
}

/** How a machine is reset. */
export interface ResetOptions {
  /** Leaves etcd and Kubernetes first. */
  readonly graceful: boolean;
  /** Starts again afterwards; otherwise the machine stays off. */
  readonly reboot: boolean;
  readonly partitions: readonly WipeablePartition[];
}
