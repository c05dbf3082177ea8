import { fingerprintText, type KnownText } from "../config/knownText";
import type { Patch } from "../config/patch";
import type { TalosSystem } from "../config/talosSystem";
import type { ApplyMode, Delivery, FirstDelivery } from "../lifecycle/delivery";
import type { Takeover } from "../lifecycle/takeOverMachine";
import type { OnDestroy } from "../onDestroy";
import type { ClientCredentials } from "../pki/clientCredentials";
import { compactCredentials } from "../pki/compactCredentials";
import type { Drain } from "./applyDrain";
import type { Wellness } from "./applyWellness";

/** What `ConfigurationApply` is given, and `check` makes of it. */
export interface ApplyInputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly privateAddress?: string;
  readonly credentials: ClientCredentials;
  readonly machineConfiguration: string;
  readonly patches: readonly Patch[];
  readonly delivery?: FirstDelivery;
  readonly maintenanceFingerprints?: readonly string[];
  readonly mode: ApplyMode;
  /** Default: see `ConfigurationApplyArgs`. */
  readonly takeover?: Takeover;
  readonly onDestroy?: OnDestroy;
  readonly drain?: Drain | undefined;
  readonly manifestsFollow?: boolean;
  /** Default: true. */
  readonly upgradeTalos?: boolean;
  /** Default: `DEFAULT_UPGRADE_TIMEOUT_SECONDS`. */
  readonly upgradeTimeoutSeconds?: number;
  readonly timeoutSeconds: number;
  /** Default: `DEFAULT_SETTLED_SECONDS`. */
  readonly settledSeconds?: number;
  /**
   * Given as that of the role, if at all; `check` makes that of the machine of it. Kept as an input
   * alone, by which the engine shows in previews what changes, and in refreshes what has.
   */
  readonly redactedConfiguration: unknown;
  /** Computed by `check`. */
  readonly configurationHash?: string;
  /** Computed by `check`: the YAML documents. Secret. */
  readonly renderedConfiguration?: string;
  /** Computed by `check`: what the machine is to run; absent where its Talos is left as it is. */
  readonly talosSystem?: TalosSystem;
}

/** What is kept of a machine; the resource's id says which one it is. */
export interface ApplyState {
  readonly node: string;
  readonly endpoint: string;
  readonly privateAddress?: string;
  readonly configurationHash: string;
  /** Of its text; absent while it isn't proven that the machine runs it, and in older releases' states. */
  readonly configurationFingerprint?: string;
  /** Of the server that got the first configuration, while it isn't proven that the machine runs it. */
  readonly maintenanceFingerprint?: string;
  /** Compact, but for those that an older release recorded. */
  readonly credentials: ClientCredentials;
  readonly onDestroy?: OnDestroy;
  /** Absent in older releases' states. */
  readonly drain?: Drain | undefined;
  readonly timeoutSeconds: number;
  /**
   * Whether the machine was well with its configuration; `awaited` when it has taken that and has not been
   * well since. Absent while it never had to be, and in older releases' states.
   */
  readonly wellness?: Wellness;
  /**
   * What the machine runs, as it said last; in the words of its configuration's installer where these mean
   * the same. Absent in older releases' states, and while it isn't told.
   */
  readonly talosSystem?: TalosSystem;
  /** Given where the machine's Talos is left to somebody else. */
  readonly leavesTalos?: true;
  /**
   * Given of a machine that was left with the configuration that it had: the recorded inputs say what it
   * was to have, until a refresh has them say what it has.
   */
  readonly isLeft?: true;
}

/**
 * The hash of a machine that may have got its first configuration and has not shown yet that it runs it.
 * It may have lost it, as one does whose installation fails, and be in maintenance mode again. The next
 * run talks to it over mutual TLS, and without only to the server that got the configuration before.
 */
export const UNPROVEN = "";

/** The text of a delivery, as it is recorded. */
export function textOf({ text, hash }: Delivery): KnownText {
  return { fingerprint: fingerprintText(text), hash };
}

/** The text that a machine was given before, if that is recorded. */
export function formerText(state: ApplyState): KnownText | undefined {
  const { configurationHash: hash, configurationFingerprint: fingerprint } = state;
  return fingerprint === undefined ? undefined : { fingerprint, hash };
}

/** What of the inputs is kept as it is, of a state too. */
type MachineRecord = Omit<
  ApplyState,
  "configurationHash" | "configurationFingerprint" | "wellness" | "talosSystem" | "isLeft"
>;

/** What is kept of a machine that has a configuration. */
export function stateOf(
  machine: MachineRecord,
  { hash, fingerprint }: Pick<KnownText, "hash"> & Partial<KnownText>,
): ApplyState {
  const { node, endpoint, privateAddress, credentials } = machine;
  const { onDestroy, drain, timeoutSeconds, leavesTalos } = machine;
  return {
    node,
    endpoint,
    ...(privateAddress !== undefined && { privateAddress }),
    configurationHash: hash,
    ...(fingerprint && { configurationFingerprint: fingerprint }),
    credentials: compactCredentials(credentials),
    ...(onDestroy && { onDestroy }),
    ...(drain && { drain }),
    ...(leavesTalos && { leavesTalos }),
    timeoutSeconds,
  };
}

/** What is recorded of a machine's Talos, by what was asked for and what it runs as far as it is known. */
export function talosOf(
  { talosSystem: declared }: ApplyInputs,
  running: TalosSystem | undefined,
): Pick<ApplyState, "talosSystem" | "leavesTalos"> {
  return declared === undefined
    ? { leavesTalos: true }
    : running === undefined
      ? {}
      : { talosSystem: running };
}
