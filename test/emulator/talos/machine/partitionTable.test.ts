import { rootDisk } from "../../../../emulator/talos/machine/disks";
import {
  partitionOf,
  stableUuid,
  systemPartitions,
} from "../../../../emulator/talos/machine/partitionTable";

const mebibyte = 1024 * 1024;

test("lays the partitions out one after the other, to the end of the disk", () => {
  expect(systemPartitions.map(({ label }) => label)).toEqual([
    "EFI",
    "BIOS",
    "BOOT",
    "META",
    "STATE",
    "EPHEMERAL",
  ]);
  let end = mebibyte;
  for (const { offsetBytes, sizeBytes } of systemPartitions) {
    expect(offsetBytes).toBe(end);
    end += sizeBytes;
  }
  expect(end).toBe(rootDisk.sizeBytes - mebibyte);
});

test("leaves EPHEMERAL the size that Talos needs", () => {
  expect(partitionOf("EPHEMERAL")).toMatchObject({ index: 6, path: "/dev/nvme0n1p6" });
  expect(partitionOf("EPHEMERAL").sizeBytes).toBeGreaterThanOrEqual(3932 * mebibyte);
});

test("derives UUIDs from names", () => {
  expect(stableUuid("a", "b")).toBe(stableUuid("a", "b"));
  expect(stableUuid("a", "b")).not.toBe(stableUuid("a", "c"));
  expect(stableUuid("a")).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
