import { hashDocuments } from "../config/hash";
import { decodeDocuments } from "../config/yaml/encode";
import type { CallOptions } from "./callOptions";
import { TalosApiError } from "./talosApiError";
import type { TalosClient } from "./talosClient";
import { talosResources, type MachineStatusSpec } from "./talosResources";

/** The facts that show whether a configured machine runs its configuration. */
export interface MachineState extends MachineStatusSpec {
  /** The kernel creates it at each boot. Another id means that the machine has restarted. */
  bootId: string;
  /** The content hash of the active configuration, as `hashDocuments` computes it. */
  activeHash: string;
  /**
   * The content hash of the configuration for the next boot. If it differs from `activeHash`, a
   * configuration is staged, or the active one is on trial. Undefined if the machine got none since
   * it started: it then boots the same one again.
   */
  persistentHash: string | undefined;
}

/** Asks for a `MachineState`, with credentials of an administrator. Raises a `TalosApiError`. */
export async function readMachineState(
  client: Pick<TalosClient, "bootId" | "getTyped">,
  call?: CallOptions,
): Promise<MachineState> {
  const [bootId, { spec: status }, active, persistent] = await Promise.all([
    client.bootId(call),
    client.getTyped(talosResources.machineStatus, call),
    client.getTyped(talosResources.activeConfiguration, call),
    client.getTyped(talosResources.persistentConfiguration, call).catch(noneIfMissing),
  ]);
  return {
    ...status,
    bootId,
    activeHash: hashText(active.spec),
    persistentHash: persistent && hashText(persistent.spec),
  };
}

function hashText(configuration: string): string {
  return hashDocuments(decodeDocuments(configuration));
}

function noneIfMissing(error: unknown): undefined {
  if (error instanceof TalosApiError && error.code === "notFound") {
    return undefined;
  }
  throw error;
}
