import { parse } from "yaml";
import { TalosApiError } from "../api/talosApiError";
import type { CallOptions, TalosClient } from "../api/talosClient";
import { decodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import type { ConfigDocument } from "../config/machineConfig";

/**
 * The two configurations that a machine keeps: what it runs, and what it will run after its next
 * reboot. They differ while one is staged, or tried out. Source: Talos v1.12.1, `config` resources.
 */
export type MachineConfigId = "v1alpha1" | "persistent";

/**
 * Has a machine tell one of its configurations, without that of interpreting it. Secret.
 *
 * A machine that was given none since it started shows what it runs alone (Talos v1.12.1,
 * `config.AcquireController`), which is then what it keeps too.
 *
 * @throws TalosApiError `permissionDenied` for others than administrators
 */
export async function readMachineConfig(
  client: TalosClient,
  id: MachineConfigId,
  call?: CallOptions,
): Promise<ConfigDocument[]> {
  const ref = { namespace: "config", type: "MachineConfigs.config.talos.dev" };
  const { spec } = await client.getResource({ ...ref, id }, call).catch((error: unknown) => {
    const isAbsent = error instanceof TalosApiError && error.code === "notFound";
    if (id === "persistent" && isAbsent) {
      return client.getResource({ ...ref, id: "v1alpha1" }, call);
    }
    throw error;
  });
  // The spec is YAML whose one value is a text: the configuration as it was sent.
  return decodeDocuments(String(parse(spec)));
}

/** SHA-256, hex, of its meaning. */
export async function machineConfigHash(
  client: TalosClient,
  id: MachineConfigId,
  call?: CallOptions,
): Promise<string> {
  return hashDocuments(await readMachineConfig(client, id, call));
}
