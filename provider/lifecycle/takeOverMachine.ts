import type { CallOptions, TalosClient } from "../api/talosClient";
import { changedPaths } from "../config/changedPaths";
import { decodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import { fingerprintText, type KnownText } from "../config/knownText";
import { outlineDocuments } from "../config/outline";
import { rebootPaths } from "../config/rebootPaths";
import type { Delivery } from "./delivery";
import { isSameConfig, readMachineConfig } from "./machineConfigs";

/** Every way to take over a machine that is configured already; `ConfigurationApplyArgs` says what each means. */
export const TAKEOVERS = ["look", "noReboot", "auto"] as const;

/** How a machine is taken over that is configured already. */
export type Takeover = (typeof TAKEOVERS)[number];

/** A machine that was left as it is. */
export interface LeftMachine {
  /** What it runs. */
  readonly text: KnownText;
  /** The places in which that differs from what it was to run; no secrets. */
  readonly changed: readonly string[];
  /** Those of them for which it would reboot. */
  readonly reboots: readonly string[];
}

/**
 * Looks whether a machine that is configured already may be given its new configuration.
 *
 * @returns what it runs where it has to be left so; undefined where it may be given the configuration
 * @throws TalosApiError when it doesn't answer or refuses to tell
 */
export async function findLeftMachine(
  client: TalosClient,
  { takeover, mode, ...delivery }: Delivery,
  call: CallOptions,
): Promise<LeftMachine | undefined> {
  // A staged configuration does nothing by itself.
  if (takeover === undefined || takeover === "auto" || (takeover !== "look" && mode === "staged")) {
    return undefined;
  }
  const text =
    (await readMachineConfig(client, "persistent", call)) ??
    (await readMachineConfig(client, "v1alpha1", call)) ??
    "";
  if (isSameConfig(text, delivery)) {
    return undefined;
  }
  const documents = decodeDocuments(text);
  const paths = changedPaths(
    outlineDocuments(documents),
    outlineDocuments(decodeDocuments(delivery.text)),
  );
  const changed = paths.map((path) => path.join("."));
  const reboots = mode === "reboot" ? changed : rebootPaths(paths).map((path) => path.join("."));
  return takeover === "noReboot" && reboots.length === 0
    ? undefined
    : {
        text: { fingerprint: fingerprintText(text), hash: hashDocuments(documents) },
        changed,
        reboots,
      };
}

/** How many places a message names. */
const LONGEST_LIST = 20;

/** What a person has to know of a machine that was left as it is. */
export function describeLeftMachine(node: string, { changed, reboots }: LeftMachine): string {
  const reboot =
    reboots.length === 0 ? "None of this needs a reboot" : `It reboots for ${list(reboots)}`;
  return (
    `machine ${node} is configured already, and what it runs differs from its new configuration in ${list(changed)}. ` +
    `${reboot}. The machine was left and recorded as it is: "pulumi preview --refresh" shows each line that changes, and the next "pulumi up" changes it`
  );
}

function list(places: readonly string[]): string {
  const more = places.length - LONGEST_LIST;
  return `${places.slice(0, LONGEST_LIST).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
