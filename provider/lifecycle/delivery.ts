import type { ApplyRequest } from "../api/talosClient";
import type { KnownText } from "../config/knownText";
import type { Progress } from "../progress";
import type { FirstTrust } from "./firstTrust";
import type { Machine } from "./machine";
import type { LeftMachine, Takeover } from "./takeOverMachine";

/**
 * How a machine applies a later configuration:
 * - `auto`: at once, with a reboot if Talos requires it;
 * - `noReboot`: at once, or not at all: a change that needs a reboot is an error;
 * - `reboot`: always with a reboot;
 * - `staged`: at the machine's next reboot, which you trigger.
 */
export type ApplyMode = "auto" | "noReboot" | "reboot" | "staged";

/** What the Talos API calls them. */
export const APPLY_MODES: Readonly<Record<ApplyMode, ApplyRequest["mode"]>> = {
  auto: "AUTO",
  noReboot: "NO_REBOOT",
  reboot: "REBOOT",
  staged: "STAGED",
};

/** How a machine gets its first configuration; see `ConfigurationApplyArgs`. */
export type FirstDelivery = (typeof FIRST_DELIVERIES)[number];

/** Every way there is. */
export const FIRST_DELIVERIES = ["apply", "userData"] as const;

/** A configuration on its way to a machine. */
export interface Delivery {
  readonly machine: Machine;
  /** The YAML documents. Secret. */
  readonly text: string;
  /** SHA-256, hex, of their meaning. */
  readonly hash: string;
  /** The one that the machine was given before, if that is recorded. */
  readonly former?: KnownText | undefined;
  /** Default: `apply`. */
  readonly first?: FirstDelivery;
  /** Who may get it without mutual TLS. Default: the first to answer in maintenance mode, and nobody else. */
  readonly trust?: FirstTrust;
  readonly mode: ApplyMode;
  /** What may be done to a machine that is configured already, with its first one. Default: anything. */
  readonly takeover?: Takeover;
  /** When to give up, in milliseconds since 1970: one deadline for all that is waited for. */
  readonly deadline: number;
  readonly progress: Progress;
}

/** What a machine said that it does with a configuration it accepted. */
export interface Acceptance {
  /** What told the boot that it was in from any other, when it said that it reboots for the configuration. */
  readonly rebootsFrom?: string;
  /** Whether it was fully up before: then it is back only when it is so again, etcd and all. */
  readonly wasRunning?: boolean;
  /**
   * What it lacked before it was given the configuration, as `MachineVerdict.unmet` has it; absent where
   * it wasn't given any over mutual TLS.
   */
  readonly missingBefore?: readonly string[];
  /** Given where the machine was left with the configuration that it had. */
  readonly left?: LeftMachine;
}
