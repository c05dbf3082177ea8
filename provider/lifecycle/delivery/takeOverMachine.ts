import type { CallOptions, TalosClient } from "../../api/talosClient";
import { rebootPaths } from "../../config/effects/changeEffects";
import { changedPaths } from "../../config/effects/changedPaths";
import { outlineDocuments } from "../../config/effects/outline";
import { fingerprintText, hashDocuments } from "../../config/hash";
import { decodeDocuments } from "../../config/yaml/encode";
import type { Delivery, LeftMachine } from "./delivery";
import { isSameConfig, readMachineConfig } from "./machineConfigs";
import { runningMinor } from "./rebootingApply";

/**
 * Checks whether a configured machine may get its new configuration.
 *
 * @returns its current configuration if it must keep it; undefined otherwise
 * @throws TalosApiError if it doesn't answer or refuses
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
  const text = await readLatest(client, call);
  if (isSameConfig(text, delivery)) {
    return undefined;
  }
  const documents = decodeDocuments(text);
  const before = outlineDocuments(documents);
  const after = outlineDocuments(decodeDocuments(delivery.text), { keyedBy: documents });
  const changed = changedPaths(before, after).map((path) => path.join("."));
  const reboots =
    mode === "reboot"
      ? changed
      : rebootPaths(before, after, await runningMinor(client, call)).map((path) => path.join("."));
  return takeover === "noReboot" && reboots.length === 0
    ? undefined
    : {
        text: { fingerprint: fingerprintText(text), hash: hashDocuments(documents) },
        changed,
        reboots,
      };
}

/**
 * Has the configuration judged that a machine has, if it is another than the new one.
 *
 * @throws what `Delivery.judgeRunning` throws
 * @throws TalosApiError if the machine doesn't answer or refuses
 */
export async function judgeRunning(
  client: TalosClient,
  delivery: Delivery,
  call: CallOptions,
): Promise<void> {
  if (delivery.judgeRunning !== undefined) {
    const text = await readLatest(client, call);
    if (text !== "" && !isSameConfig(text, delivery)) {
      delivery.judgeRunning(decodeDocuments(text));
    }
  }
}

/** What the machine runs after its next boot, or now if it doesn't report that. Secret. */
async function readLatest(client: TalosClient, call: CallOptions): Promise<string> {
  return (
    (await readMachineConfig(client, "persistent", call)) ??
    (await readMachineConfig(client, "v1alpha1", call)) ??
    ""
  );
}

/** The maximum number of places in a message. */
const LONGEST_LIST = 20;

/** The message about a machine that keeps its configuration. */
export function describeLeftMachine(node: string, { changed, reboots }: LeftMachine): string {
  const reboot =
    reboots.length === 0 ? "None of this needs a reboot" : `It reboots for ${list(reboots)}`;
  return (
    `machine ${node} is configured already, and its configuration differs from the new one in ${list(changed)}. ` +
    `${reboot}. The machine was not changed, and is recorded as it is: "pulumi preview --refresh" shows each line that changes, and the next "pulumi up" changes it`
  );
}

function list(places: readonly string[]): string {
  const more = places.length - LONGEST_LIST;
  return `${places.slice(0, LONGEST_LIST).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
