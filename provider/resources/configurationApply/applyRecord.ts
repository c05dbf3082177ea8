import { type BirthValues, birthValues, recordedBirth } from "../../config/birth/birthSettings";
import { fingerprintText, type KnownText } from "../../config/hash";
import type { Patch } from "../../config/patches/patch";
import type { MarkedValues } from "../../config/secrets/markedValues";
import { installedMinor, type TalosSystem } from "../../config/talosSystem";
import type { InstanceConsole } from "../../console/readConsole";
import type { OnDestroy } from "../../engine/onDestroy";
import type {
  ApplyMode,
  Delivery,
  FirstDelivery,
  Takeover,
} from "../../lifecycle/delivery/delivery";
import type { ClientCredentials } from "../../pki/clientCredentials";
import { compactCredentials } from "../../pki/compactCredentials";
import { isOutline } from "../../render/renderMachineConfiguration";
import type { ConfigurationRevision } from "../configurationRevision";
import type { Drain } from "./applyDrain";
import type { RecordedHealth } from "./recordedHealth";

/** Inputs of `ConfigurationApply`: those of the program, and those that `check` computes. */
export interface ApplyInputs {
  readonly machineId: string;
  readonly node: string;
  readonly endpoint: string;
  readonly privateAddress?: string;
  readonly credentials: ClientCredentials;
  readonly machineConfiguration: string;
  readonly patches: readonly Patch[];
  /**
   * Values that the program marked as secret, as it gives them and as `check` finds them. Default: none.
   */
  readonly markedValues?: MarkedValues | undefined;
  readonly revision?: ConfigurationRevision | undefined;
  readonly machineRevision?: number | undefined;
  readonly delivery?: FirstDelivery;
  readonly maintenanceFingerprints?: readonly string[];
  /** `FirstContact.fingerprints`. Default: no contact is recorded. */
  readonly firstContact?: readonly string[] | undefined;
  /** Where EC2 shows the machine's console. Default: the console proves nothing. */
  readonly console?: InstanceConsole | undefined;
  readonly mode: ApplyMode;
  /** Default: see `ConfigurationApplyArgs`. */
  readonly takeover?: Takeover;
  readonly onDestroy?: OnDestroy;
  readonly drain?: Drain | undefined;
  /** Accepted changes: the new value by path. Default: none. */
  readonly acceptedChanges?: Readonly<Record<string, string>> | undefined;
  readonly manifestsFollow?: boolean;
  /** Default: true. */
  readonly upgradeTalos?: boolean;
  /** Default: `DEFAULT_UPGRADE_TIMEOUT_SECONDS`. */
  readonly upgradeTimeoutSeconds?: number;
  readonly timeoutSeconds: number;
  /** Default: `DEFAULT_SETTLED_SECONDS`. */
  readonly settledSeconds?: number;
  /**
   * The role's outline, if the program gives it: see `outlineOf`. It may be known earlier than the
   * configuration.
   */
  readonly roleOutline?: unknown;
  /**
   * Computed by `check`: the machine's outline. It is stored only as an input. The engine compares
   * it in previews and refreshes.
   */
  readonly redactedConfiguration: unknown;
  /** Computed by `check`. */
  readonly configurationHash?: string;
  /** Computed by `check`: the YAML documents. Secret. */
  readonly renderedConfiguration?: string;
  /**
   * Computed by `check`: the Talos that the machine must run; absent if its Talos is not managed
   * here.
   */
  readonly talosSystem?: TalosSystem;
  /**
   * Computed by `check`: what the machine was born with, where its configuration has other values. See
   * `birthSettings.ts`. Absent where there are none.
   */
  readonly bornOtherwise?: BirthValues;
}

/** The state of a machine. The resource's id is the machine's instance id. */
export interface ApplyState {
  readonly node: string;
  readonly endpoint: string;
  readonly privateAddress?: string;
  readonly configurationHash: string;
  /**
   * Fingerprint of the configuration's text. Absent until the machine is proven to run it, and in
   * older releases' states.
   */
  readonly configurationFingerprint?: string;
  /**
   * Fingerprint of the server that got the first configuration, until the machine is proven to run
   * it.
   */
  readonly maintenanceFingerprint?: string;
  /** Of the configuration that was applied last. Absent for one that was never changed. */
  readonly revision?: ConfigurationRevision | undefined;
  /** Of the machine's patches that were applied last. Absent for those that were never changed. */
  readonly machineRevision?: number | undefined;
  /** Compact, except in older releases' states. */
  readonly credentials: ClientCredentials;
  /** Values that a refresh must hide, which the state encrypts. Absent without any. */
  readonly markedValues?: MarkedValues | undefined;
  readonly onDestroy?: OnDestroy;
  /** Absent in older releases' states. */
  readonly drain?: Drain | undefined;
  readonly timeoutSeconds: number;
  /**
   * The settings with which the machine was born, by which a refresh tells a change of them from the way
   * back. Absent in older releases' states.
   */
  readonly bornWith?: BirthValues;
  /**
   * Whether the machine was healthy with its configuration. Absent if it was never up, and in older
   * releases' states.
   */
  readonly wellness?: RecordedHealth;
  /**
   * The Talos that the machine last reported, in the form of the installer if both mean the same.
   * Absent in older releases' states, and while the machine reports none.
   */
  readonly talosSystem?: TalosSystem;
  /**
   * Set if an upgrade may have ended before its restart. The machine is then asked what it runs, and
   * gets that for its next boot again if it is what is declared.
   */
  readonly isTalosUnsure?: true;
  /** Set if the machine's Talos is not managed here. */
  readonly leavesTalos?: true;
  /**
   * Set if the machine kept its former configuration. The recorded inputs then describe the new
   * one, until a refresh replaces them.
   */
  readonly isLeft?: true;
  /**
   * The outline that a refresh has found on a changed machine, until the next update. The engine
   * prints the changes of a refresh from the outputs (pulumi v3.230.0, pkg/engine/detailedDiff.go).
   */
  readonly redactedConfiguration?: unknown;
}

/**
 * The recorded hash while a machine may have got its first configuration and is not proven to run
 * it. It may be in maintenance mode again, for example after a failed installation. The next run
 * uses mutual TLS, or without it only the server that got the configuration before.
 */
export const UNPROVEN = "";

/** The text of a delivery, in its recorded form. */
export function textOf({ text, hash }: Delivery): KnownText {
  return { fingerprint: fingerprintText(text), hash };
}

/** The text that a machine was given before, if it is recorded. */
export function formerText(state: ApplyState): KnownText | undefined {
  const { configurationHash: hash, configurationFingerprint: fingerprint } = state;
  return fingerprint === undefined ? undefined : { fingerprint, hash };
}

/** The fields of the inputs that the state keeps unchanged. */
type MachineRecord = Omit<
  ApplyState,
  | "configurationHash"
  | "configurationFingerprint"
  | "wellness"
  | "talosSystem"
  | "isTalosUnsure"
  | "isLeft"
  | "redactedConfiguration"
>;

/** The state of a machine that has a configuration. */
export function stateOf(
  machine: MachineRecord | ApplyInputs,
  { hash, fingerprint }: Pick<KnownText, "hash"> & Partial<KnownText>,
): ApplyState {
  const { node, endpoint, privateAddress, credentials } = machine;
  const { onDestroy, drain, timeoutSeconds, revision, machineRevision } = machine;
  const { leavesTalos, bornWith } = "patches" in machine ? bornWithIn(machine) : machine;
  const { markedValues = [] } = machine;
  return {
    node,
    endpoint,
    ...(privateAddress !== undefined && { privateAddress }),
    configurationHash: hash,
    ...(fingerprint && { configurationFingerprint: fingerprint }),
    ...(revision && { revision }),
    ...(machineRevision !== undefined && machineRevision > 0 && { machineRevision }),
    credentials: compactCredentials(credentials),
    ...(markedValues.length > 0 && { markedValues }),
    ...(onDestroy && { onDestroy }),
    ...(drain && { drain }),
    ...(leavesTalos && { leavesTalos }),
    ...(bornWith && { bornWith }),
    timeoutSeconds,
  };
}

/** What the machine of these inputs was born with. */
function bornWithIn({
  redactedConfiguration: outline,
  bornOtherwise,
}: ApplyInputs): Pick<ApplyState, "bornWith" | "leavesTalos"> {
  if (!isOutline(outline)) {
    return {};
  }
  const minor = installedMinor(outline);
  return { bornWith: recordedBirth({ ...birthValues(outline, minor), ...bornOtherwise }, minor) };
}

/** The recorded fields of a machine's Talos, from the declared one and the one that it reports. */
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
