import { type ConfigDocument, isMapping, textAt } from "./machineConfig";

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
}

/**
 * The encryption of a volume. For STATE and EPHEMERAL it may also be in the machine's section, where Talos
 * takes it only without the other. Source: talos v1.12.1, `volumeconfig/system_volumes.go`.
 *
 * @param id of the volume's document, as in an outline: `VolumeConfig/EPHEMERAL`
 */
export function encryptionOf(outline: ConfigDocument, id: string): VolumeEncryption {
  const document = outline[id];
  const own = isMapping(document) ? document.encryption : undefined;
  const path = `${id}.encryption.provider`;
  if (isMapping(own)) {
    return { path, provider: textAt(own, "provider") ?? "luks2" };
  }
  const [kind = "", name = ""] = id.split("/");
  const { machine } = outline;
  const section = isMapping(machine) ? machine.systemDiskEncryption : undefined;
  const place = name.toLowerCase();
  const legacy = kind === "VolumeConfig" && isMapping(section) ? section[place] : undefined;
  return isMapping(legacy)
    ? {
        path: `machine.systemDiskEncryption.${place}.provider`,
        provider: textAt(legacy, "provider") ?? "luks2",
      }
    : { path, provider: undefined };
}

/** Whether a volume is encrypted before and after a change, or neither. */
export function staysEncrypted(before: ConfigDocument, after: ConfigDocument, id: string): boolean {
  return encryptionOf(before, id).provider === encryptionOf(after, id).provider;
}

/**
 * Where one of the volumes `PROMOTABLE` is: in a `partition` of its own, or in a `directory`. Source: v1.14.1, `block.ProvisioningRequested`.
 */
export function placementOf(outline: ConfigDocument, name: string): "partition" | "directory" {
  const document = outline[`VolumeConfig/${name}`];
  const settings = isMapping(document) ? document.provisioning : undefined;
  return isMapping(settings) && Object.keys(settings).length > 0 ? "partition" : "directory";
}
