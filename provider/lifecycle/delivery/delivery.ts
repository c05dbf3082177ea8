import type { ApplyRequest } from "../../api/talosClient";
import type { Progress } from "../../base/progress";
import type { KnownText } from "../../config/hash";
import type { ConfigDocument } from "../../config/machineConfig";
import type { Machine } from "../machine";
import type { FirstTrust } from "./firstTrust";

/**
 * How a machine applies a later configuration:
 * - `auto`: at once, with a reboot if Talos requires it, or if the change takes effect only then;
 * - `noReboot`: at once, or not at all: a change that needs a reboot is an error;
 * - `reboot`: always with a reboot;
 * - `staged`: at the machine's next reboot, which you trigger.
 */
export type ApplyMode = "auto" | "noReboot" | "reboot" | "staged";

/** The Talos API's name for each mode. Not every Talos has `REBOOT`: `applyByReboot`. */
export const APPLY_MODES: Readonly<Record<ApplyMode, ApplyRequest["mode"]>> = {
  auto: "AUTO",
  noReboot: "NO_REBOOT",
  reboot: "REBOOT",
  staged: "STAGED",
};

/** How a machine gets its first configuration; see `ConfigurationApplyArgs`. */
export type FirstDelivery = (typeof FIRST_DELIVERIES)[number];

/** All values of `FirstDelivery`. */
export const FIRST_DELIVERIES = ["apply", "userData"] as const;

/** All values of `Takeover`; see `ConfigurationApplyArgs`. */
export const TAKEOVERS = ["look", "noReboot", "auto"] as const;

/** How a configured machine is taken over. */
export type Takeover = (typeof TAKEOVERS)[number];

/** A machine that was left as it is. */
export interface LeftMachine {
  /** The configuration that it runs. */
  readonly text: KnownText;
  /** The places that differ from the new configuration; no secrets. */
  readonly changed: readonly string[];
  /** Those of them that need a reboot. */
  readonly reboots: readonly string[];
}

/** A configuration to deliver to a machine. */
export interface Delivery {
  readonly machine: Machine;
  /** The YAML documents. Secret. */
  readonly text: string;
  /** SHA-256, hex, of its content. */
  readonly hash: string;
  /** The configuration that the machine was given before, if it is recorded. */
  readonly former?: KnownText | undefined;
  /** Default: `apply`. */
  readonly first?: FirstDelivery;
  /**
   * Which servers may get it without mutual TLS. Default: only the first one that answers in
   * maintenance mode.
   */
  readonly trust?: FirstTrust;
  readonly mode: ApplyMode;
  /** Whether `mode` is that of this change already: `modeForChange`. Default: false. */
  readonly isJudged?: boolean;
  /** What may happen to a machine that is already configured. Default: everything. */
  readonly takeover?: Takeover;
  /**
   * Called with the configuration of a machine that has another, before anything is sent to it. Throws if
   * the machine must keep it. Default: nothing.
   */
  readonly judgeRunning?: ((running: readonly ConfigDocument[]) => void) | undefined;
  /**
   * Called if the machine may have taken a later configuration, although its answer did not arrive.
   * Default: nothing.
   */
  readonly mayHaveArrived?: () => void;
  /** The deadline for all waits, in milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/** What a machine does with an accepted configuration. */
export interface Acceptance {
  /** Identifies the boot, if the machine reboots for the configuration. */
  readonly rebootsFrom?: string;
  /** Set if the machine got it in maintenance mode, which it leaves. */
  readonly leavesMaintenance?: true;
  /** Whether it was fully up before. Then it must be so again, with etcd. */
  readonly wasRunning?: boolean;
  /** Set if the machine had the configuration already: from an interrupted run, or from a person. */
  readonly hadIt?: boolean;
  /**
   * What was missing before the change, as in `MachineVerdict.unmet`; absent if it got no
   * configuration over mutual TLS.
   */
  readonly missingBefore?: readonly string[];
  /** Set if the machine keeps its former configuration. */
  readonly left?: LeftMachine;
}
