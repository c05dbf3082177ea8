import type { ApplyResult, CallOptions, TalosClient } from "../../api/talosClient";
import { FIRST_MINOR_WITHOUT_REBOOT } from "../../config/effects/bootFiles";
import { talosMinor } from "../../config/releases/talosMinor";

/** The minor of the Talos that a configured machine runs: 12 is v1.12; undefined for a development build. */
export async function runningMinor(
  client: TalosClient,
  call: CallOptions,
): Promise<number | undefined> {
  return talosMinor((await client.version(call)).tag);
}

/**
 * Has a configured machine take a configuration by a reboot, on every Talos. One that does not reboot
 * by itself keeps the configuration for its next boot, and is told to reboot then. So nothing of it
 * takes effect before the reboot, as with other releases.
 *
 * @param staged called when the machine has kept it, and has not been told to reboot
 */
export async function applyByReboot(
  client: TalosClient,
  data: string,
  staged: () => void,
  call: CallOptions,
): Promise<ApplyResult> {
  const minor = (await runningMinor(client, call)) ?? 0;
  if (minor < FIRST_MINOR_WITHOUT_REBOOT) {
    return client.applyConfiguration({ data, mode: "REBOOT" }, call);
  }
  const reply = await client.applyConfiguration({ data, mode: "STAGED" }, call);
  staged();
  await client.reboot({}, call);
  return { ...reply, mode: "REBOOT" };
}
