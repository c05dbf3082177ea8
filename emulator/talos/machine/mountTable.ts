import { partitionOf, type Partition } from "./partitionTable";

/** A file system that is mounted. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly filesystem: string;
  readonly sizeBytes: number;
  readonly availableBytes: number;
}

const mebibyte = 1024 * 1024;
/** What is used of a partition that Talos has written to for a while. */
const usedPart = 0.25;
/** Linux gives a tmpfs half of the memory. */
const memoryPart = 0.5;

/** File systems without a size of their own. */
const virtual = [
  ["devtmpfs", "/dev", "devtmpfs"],
  ["proc", "/proc", "proc"],
  ["sysfs", "/sys", "sysfs"],
  ["cgroup2", "/sys/fs/cgroup", "cgroup2"],
] as const;

/** Where a configured node of that much memory has mounted what; of a full disk nothing is left. */
export function mountsOf(memoryBytes: number, isDiskFull: boolean): readonly Mount[] {
  const partition = (label: Partition["label"], target: string): Mount => {
    const { path, sizeBytes, content } = partitionOf(label);
    return {
      source: path,
      target,
      filesystem: content,
      sizeBytes,
      availableBytes: isDiskFull ? 0 : Math.floor(sizeBytes * (1 - usedPart)),
    };
  };
  const memory = (target: string, sizeBytes: number): Mount => ({
    source: "tmpfs",
    target,
    filesystem: "tmpfs",
    sizeBytes,
    availableBytes: sizeBytes - mebibyte,
  });
  const half = Math.floor(memoryBytes * memoryPart);
  return [
    ...virtual.map(([source, target, filesystem]) => ({
      source,
      target,
      filesystem,
      sizeBytes: 0,
      availableBytes: 0,
    })),
    {
      source: "/dev/loop0",
      target: "/",
      filesystem: "squashfs",
      sizeBytes: 80 * mebibyte,
      availableBytes: 0,
    },
    memory("/run", half),
    memory("/system", half),
    memory("/tmp", 64 * mebibyte),
    partition("STATE", "/system/state"),
    partition("EPHEMERAL", "/var"),
  ];
}
