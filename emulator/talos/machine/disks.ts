import { prettyBytes } from "./prettyBytes";
import { rootDisk } from "./rootDisk";

/** A volume that was attached to a machine besides its root volume. */
export interface DataVolume {
  /** `vol-0123456789abcdef0`. */
  readonly volumeId: string;
  readonly sizeBytes: number;
}

/** A disk as Linux sees it. */
export interface Disk {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly prettySize: string;
  readonly model: string;
  readonly sectorSize: number;
  /** Of an attached volume its id without the dash (EC2 User Guide, "EBS volumes and NVMe"). */
  readonly serial: string | undefined;
  /** Whether Talos runs from it. */
  readonly isSystem: boolean;
}

/** The disks of a machine: the one it boots from, then attached volumes in their order. */
export function disksOf({ dataVolumes }: { dataVolumes: readonly DataVolume[] }): Disk[] {
  const { model, sectorSize } = rootDisk;
  return [
    { ...rootDisk, serial: undefined, isSystem: true },
    ...dataVolumes.map(({ volumeId, sizeBytes }, index) => {
      const name = `nvme${index + 1}n1`;
      const serial = volumeId.replace("-", "");
      const prettySize = prettyBytes(sizeBytes);
      const path = `/dev/${name}`;
      return { name, path, sizeBytes, prettySize, model, sectorSize, serial, isSystem: false };
    }),
  ];
}
