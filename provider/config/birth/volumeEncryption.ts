import { canonicalJson } from "../canonicalJson";
import { type ConfigDocument, isMapping, textAt } from "../machineConfig";
import { valueAt } from "../settings/keyPaths";

/**
 * Talos' own volumes that a configuration can encrypt: `VolumeConfig/EPHEMERAL`. Source: v1.12.1,
 * pkg/machinery/config/types/block/volume_config.go.
 */
export const OWN_VOLUMES: readonly string[] = ["STATE", "EPHEMERAL", "IMAGECACHE"];

/**
 * The same that are directories of EPHEMERAL, unless they are placed. Talos has them since v1.14. Source:
 * v1.14.1, `system_volumes.go`.
 */
export const PROMOTABLE: readonly string[] = ["ETCD", "CRI", "KUBELET", "LOG"];

/** The encryption of a volume in an outline. */
export interface VolumeEncryption {
  /** Where its provider is, or would be. */
  readonly path: string;
  /** Undefined for a volume that isn't encrypted. */
  readonly provider: string | undefined;
  /** Its settings; undefined likewise. */
  readonly settings: ConfigDocument | undefined;
}

/**
 * The encryption of a volume. For STATE and EPHEMERAL it may also be in the machine's section, where Talos
 * takes it only without the other. Source: talos v1.12.1, `volumeconfig/system_volumes.go`.
 *
 * @param id of the volume's document, as in an outline: `VolumeConfig/EPHEMERAL`
 */
export function encryptionOf(outline: ConfigDocument, id: string): VolumeEncryption {
  const own = valueAt(outline, [id, "encryption"]);
  const path = `${id}.encryption.provider`;
  if (isMapping(own)) {
    return { path, provider: textAt(own, "provider") ?? "luks2", settings: own };
  }
  const [kind = "", name = ""] = id.split("/");
  const place = name.toLowerCase();
  const legacy =
    kind === "VolumeConfig"
      ? valueAt(outline, ["machine", "systemDiskEncryption", place])
      : undefined;
  return isMapping(legacy)
    ? {
        path: `machine.systemDiskEncryption.${place}.provider`,
        provider: textAt(legacy, "provider") ?? "luks2",
        settings: legacy,
      }
    : { path, provider: undefined, settings: undefined };
}

/**
 * The keys of an encrypted volume, each as a text that is equal for equal keys: its slot, and what it is
 * made of. The one that a TPM keeps is in the volume, so it stays the same whatever the settings say.
 */
export function keysOf(encryption: VolumeEncryption): readonly string[] {
  const keys = encryption.settings?.keys ?? null;
  return (typeof keys === "object" ? Object.values(keys ?? {}) : []).flatMap((key) => {
    if (!isMapping(key)) {
      return [];
    }
    const { slot, ...settings } = key;
    const made = Object.fromEntries(
      Object.entries(settings).filter(([, value]) => value !== null && value !== false),
    );
    const place = `slot ${typeof slot === "number" ? slot : 0}`;
    return [`${place} ${Object.hasOwn(made, "tpm") ? "tpm" : canonicalJson(made)}`];
  });
}

/**
 * Whether one of a volume's former keys is among the new ones. Marks of secrets by different digests can't
 * be compared, and count as the same.
 */
export function keepsKey(former: readonly string[], next: readonly string[]): boolean {
  return former.some((one) =>
    next.some(
      (other) =>
        one === other || (digestOf(one) !== digestOf(other) && plain(one) === plain(other)),
    ),
  );
}

function digestOf(key: string): string {
  return /«secret (\w+):/.exec(key)?.[1] ?? "";
}

function plain(key: string): string {
  return key.replace(/«secret[^»]*»/g, "");
}

/** Whether a volume is encrypted before and after a change and keeps one of its keys, or isn't encrypted at all. */
export function staysEncrypted(before: ConfigDocument, after: ConfigDocument, id: string): boolean {
  const [old, now] = [encryptionOf(before, id), encryptionOf(after, id)];
  const [former, next] = [keysOf(old), keysOf(now)];
  const isOpened = former.length === 0 || next.length === 0 || keepsKey(former, next);
  return old.provider === now.provider && isOpened;
}

/**
 * Where one of the volumes `PROMOTABLE` is: in a `partition` of its own, or in a `directory`. Source: v1.14.1, `block.ProvisioningRequested`.
 */
export function placementOf(outline: ConfigDocument, name: string): "partition" | "directory" {
  const settings = valueAt(outline, [`VolumeConfig/${name}`, "provisioning"]);
  return isMapping(settings) && Object.keys(settings).length > 0 ? "partition" : "directory";
}
