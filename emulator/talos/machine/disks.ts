/**
 * The root volume of a Talos AMI on a Nitro instance. It is an EBS volume with the size of Talos'
 * disk image for AWS (talos v1.12.1, `profile.DefaultRAWDiskSize`).
 */
export const rootDisk = {
  name: "nvme0n1",
  path: "/dev/nvme0n1",
  sizeBytes: 8 * 1024 ** 3,
  prettySize: "8.6 GB",
  model: "Amazon Elastic Block Store",
  sectorSize: 512,
};

/** Bytes in the notation of Go's humanize: `105 MB`, `4.2 GB`. */
export function prettyBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step] ?? ""}`;
}

/** A volume that is attached to a machine besides its root volume. */
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
  /** The id of an attached volume without the dash (EC2 User Guide, "EBS volumes and NVMe"). */
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
