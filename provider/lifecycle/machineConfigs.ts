import { TalosApiError } from "../api/talosApiError";
import type { CallOptions, TalosClient } from "../api/talosClient";
import { decodeDocuments } from "../config/encode";
import { hashDocuments } from "../config/hash";
import { fingerprintText, type KnownText } from "../config/knownText";
import { readYamlText } from "../config/yamlText";

/**
 * The two configurations that a machine keeps: what it runs, and what it will run after its next
 * reboot. They differ while one is staged, or tried out. Source: Talos v1.12.1, `config` resources.
 */
export type MachineConfigId = "v1alpha1" | "persistent";

/** The version of a configuration that nobody has replaced since the machine started. */
const FIRST_VERSION = "1";

/**
 * Has a machine tell one of its configurations: the text as it was sent. Secret.
 *
 * A machine that was given none to keep since it started shows what it runs alone (Talos v1.12.1,
 * `config.AcquireController`), which is then what it keeps too; unless it has run another since, which
 * was only tried out. Undefined then: it doesn't tell what it keeps.
 *
 * @throws TalosApiError `permissionDenied` for others than administrators
 */
export async function readMachineConfig(
  client: TalosClient,
  id: MachineConfigId,
  call?: CallOptions,
): Promise<string | undefined> {
  const ref = { namespace: "config", type: "MachineConfigs.config.talos.dev" };
  const resource = await client.getResource({ ...ref, id }, call).catch(async (error: unknown) => {
    const isAbsent = error instanceof TalosApiError && error.code === "notFound";
    if (id === "persistent" && isAbsent) {
      const active = await client.getResource({ ...ref, id: "v1alpha1" }, call);
      return active.version === FIRST_VERSION ? active : undefined;
    }
    throw error;
  });
  return resource && readYamlText(resource.spec);
}

/**
 * Whether a text means the configuration that another one means; interpreted, which takes longer than
 * the call that brought it, only where the texts differ and nothing is known of it.
 *
 * @param text undefined, which means none, where the machine doesn't tell
 * @param expected with the SHA-256, hex, of its meaning
 * @param known a text whose meaning was computed before
 */
export function isSameConfig(
  text: string | undefined,
  expected: { readonly text: string; readonly hash: string },
  known?: KnownText,
): boolean {
  return text === expected.text || (text !== undefined && hashText(text, known) === expected.hash);
}

function hashText(text: string, known: KnownText | undefined): string {
  return known?.fingerprint === fingerprintText(text)
    ? known.hash
    : hashDocuments(decodeDocuments(text));
}
