import { decodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import type { CallOptions } from "./callOptions";
import { TalosApiError } from "./talosApiError";
import type { TalosClient } from "./talosClient";
import { talosResources, type MachineStatusSpec } from "./talosResources";

/** What tells whether a configured machine does what it was told. */
export interface MachineState extends MachineStatusSpec {
  /** Made by the kernel at each start: another one means that the machine has restarted. */
  bootId: string;
  /** Hash of what the configuration means that the machine runs, as `hashDocuments` makes it. */
  activeHash: string;
  /**
   * The same of what it starts with the next time. Another one than `activeHash` means that a
   * configuration is staged, or that the active one is on trial. Undefined where none was given to the
   * machine since it started: it then starts with what it started with.
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
  if (error instanceof TalosApiError && error.code === "notFound") return undefined;
  throw error;
}
