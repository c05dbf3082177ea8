import { isInDocuments } from "../effects/sameForm";
import type { ConfigDocument } from "../machineConfig";
import { talosMinor } from "../releases/talosMinor";
import { talosSchemas } from "./talosSchemas";

/** The rotations whose stages between the first and the last one have documents, by their kind. */
const ROTATIONS: ReadonlyMap<string, string> = new Map([
  ["KubeAggregatorCAConfig", "aggregatorCa"],
  ["KubeEtcdEncryptionConfig", "secretboxKey"],
  ["KubeServiceAccountConfig", "serviceAccountKey"],
]);

/**
 * Why a machine can't get an older Talos: it would boot with a configuration that this Talos can't
 * read, and answer no more. The configuration that follows the older Talos would come too late.
 *
 * @param running the outline of the configuration that the machine has
 * @param talosVersion the release that it would get
 * @returns undefined if that Talos reads it, or is unknown
 */
export function unreadableDocuments(
  running: ConfigDocument,
  talosVersion: string,
): string | undefined {
  const known = talosSchemas.get(talosMinor(talosVersion) ?? 0)?.documents;
  // Other keys of an outline are fields, which start with a small letter.
  const kinds = Object.keys(running).filter((key) => /^[A-Z]/.test(key));
  const unknown = kinds.filter((key) => known?.has(key.split("/")[0] ?? "") === false);
  if (unknown.length === 0) {
    return undefined;
  }
  if (isInDocuments(running)) {
    return `Talos ${talosVersion} can't read the documents of version contract "v1.14" in the machine's configuration, and would not start with it: keep the newer talosVersion. A cluster with contractDefaults can set versionContract back to that, and the older release in an update after it`;
  }
  const rotations = unknown.flatMap((kind) => ROTATIONS.get(kind) ?? []);
  const way =
    rotations.length > 0
      ? `complete the rotation (${rotations.map((key) => `rotation.${key}`).join(", ")}) up to the stage "drop", or take it back`
      : "take them out of the configuration";
  return `Talos ${talosVersion} can't read ${unknown.join(", ")} in the machine's configuration, and would not start with it: keep the newer talosVersion, ${way}, and set the older release after that`;
}
