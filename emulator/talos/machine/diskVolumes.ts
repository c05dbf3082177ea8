import { type ConfigDocument, documentId, isMapping } from "../../../provider/config";
import { valueAt } from "../config/yamlPath";
import type { MachineDisk, SystemVolume } from "./machineDisk";

const VOLUMES: readonly SystemVolume[] = ["STATE", "EPHEMERAL"];

/**
 * Opens a machine's volumes at a boot, and makes those that are missing as the configuration says. Talos
 * encrypts a volume only when it makes it, opens no other, and waits for it forever.
 *
 * Source: talos v1.12.1 and v1.14.1, `block/internal/volumes/{encrypt,format}.go`.
 *
 * @returns Talos' error of a volume that it can't open; undefined if all are open
 */
export function openVolumes(
  disk: MachineDisk,
  documents: readonly ConfigDocument[],
): string | undefined {
  for (const volume of VOLUMES) {
    const wanted = isEncrypted(documents, volume) ? "encrypted" : "plain";
    const made = disk.volumes.get(volume) ?? wanted;
    disk.volumes.set(volume, made);
    if (made !== wanted) {
      return wanted === "encrypted"
        ? `volume ${volume}: block dev type mismatch: xfs != luks`
        : `volume ${volume}: filesystem type mismatch: luks != xfs`;
    }
  }
  return undefined;
}

function isEncrypted(documents: readonly ConfigDocument[], volume: SystemVolume): boolean {
  const at = (id: string) => documents.find((document) => documentId(document) === id);
  const [own, config] = [at(`VolumeConfig/${volume}`), at("v1alpha1")];
  const place = ["machine", "systemDiskEncryption", volume.toLowerCase()];
  return (
    (own !== undefined && isMapping(valueAt(own, "encryption"))) ||
    (config !== undefined && isMapping(valueAt(config, ...place)))
  );
}
