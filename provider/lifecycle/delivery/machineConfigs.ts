import { TalosApiError } from "../../api/talosApiError";
import type { CallOptions, TalosClient } from "../../api/talosClient";
import { fingerprintText, hashDocuments, type KnownText } from "../../config/hash";
import { decodeDocuments } from "../../config/yaml/encode";
import { readYamlText } from "../../config/yaml/yamlText";

/**
 * The two configurations of a machine: the active one, and the persistent one that it runs after
 * its next reboot. They differ while one is staged or tried out. Source: Talos v1.12.1, `config`
 * resources.
 */
export type MachineConfigId = "v1alpha1" | "persistent";

/** The version of a configuration that was not replaced since the machine started. */
const FIRST_VERSION = "1";

/**
 * Reads one of a machine's configurations: the text as it was sent. Secret.
 *
 * A machine that was not given a persistent one since its start reports only the active one. That
 * is then the persistent one too (Talos v1.12.1, `config.AcquireController`). If the active one was
 * only tried out since, the machine doesn't report what it keeps: undefined.
 *
 * @throws TalosApiError `permissionDenied` unless the caller is an administrator
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
 * Whether a text has the same content as the expected one. The text is parsed only if it differs
 * and its content is not known, because parsing takes longer than the call.
 *
 * @param text undefined, which never matches, if the machine doesn't report it
 * @param expected has the SHA-256, hex, of its content
 * @param known a text whose content hash was computed before
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
