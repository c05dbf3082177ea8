import { createHash } from "node:crypto";
import { rootDisk } from "./disks";

/** A partition of the system disk. */
export interface Partition {
  readonly label: "EFI" | "BIOS" | "BOOT" | "META" | "STATE" | "EPHEMERAL";
  /** From 1. */
  readonly index: number;
  readonly name: string;
  readonly path: string;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /** GUID of its type in the partition table. */
  readonly type: string;
  /** Its content: a file system, `talosmeta`, or nothing. */
  readonly content: "vfat" | "xfs" | "talosmeta" | "";
}

const MEBIBYTE = 1024 * 1024;

/** Types of GPT partitions (talos v1.12.1, `internal/pkg/partition`). */
const types = {
  efi: "c12a7328-f81f-11d2-ba4b-00a0c93ec93b",
  bios: "21686148-6449-6e6f-744e-656564454649",
  data: "0fc63daf-8483-4772-8e79-3d69d8477de4",
};

/**
 * Layout of an image that boots with and without UEFI (talos v1.12.1, `dual.RequiredPartitions`,
 * `quirks.PartitionSizes`).
 */
const layout = [
  { label: "EFI", mebibytes: 2101, type: types.efi, content: "vfat" },
  { label: "BIOS", mebibytes: 1, type: types.bios, content: "" },
  { label: "BOOT", mebibytes: 2000, type: types.data, content: "xfs" },
  { label: "META", mebibytes: 1, type: types.data, content: "talosmeta" },
  { label: "STATE", mebibytes: 100, type: types.data, content: "xfs" },
] as const;

/** The partitions of a system disk in order; EPHEMERAL has the remaining space. */
export const systemPartitions: readonly Partition[] = place();

/** The partition with that label. */
export function partitionOf(label: Partition["label"]): Partition {
  const found = systemPartitions.find((partition) => partition.label === label);
  if (!found) {
    throw new Error(`no partition is labelled "${label}"`);
  }
  return found;
}

/** A UUID that is derived from names. */
export function stableUuid(...names: readonly string[]): string {
  const hex = createHash("sha256").update(names.join(" ")).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

function place(): Partition[] {
  const partitions: Partition[] = [];
  let offsetBytes = MEBIBYTE;
  const add = (entry: Pick<Partition, "label" | "type" | "content">, sizeBytes: number) => {
    const index = partitions.length + 1;
    const name = `${rootDisk.name}p${index}`;
    partitions.push({ ...entry, index, name, path: `/dev/${name}`, offsetBytes, sizeBytes });
    offsetBytes += sizeBytes;
  };
  for (const { mebibytes, ...entry } of layout) {
    add(entry, mebibytes * MEBIBYTE);
  }
  // The last MiB contains the second partition table.
  const rest = rootDisk.sizeBytes - offsetBytes - MEBIBYTE;
  add({ label: "EPHEMERAL", type: types.data, content: "xfs" }, rest);
  return partitions;
}
