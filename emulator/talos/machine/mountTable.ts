import { PROMOTABLE } from "../config/ownVolumes";
import type { NodeState } from "./nodeState";
import { partitionOf, type Partition } from "./partitionTable";

/** A mounted file system. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly filesystem: string;
  readonly sizeBytes: number;
  readonly availableBytes: number;
}

const MEBIBYTE = 1024 * 1024;
/** The used part of a partition that Talos has written to for a while. */
const USED_PART = 0.25;
/** The size of a tmpfs as a part of the memory. */
const MEMORY_PART = 0.5;

/** File systems without a size of their own. */
const virtual = [
  ["devtmpfs", "/dev", "devtmpfs"],
  ["proc", "/proc", "proc"],
  ["sysfs", "/sys", "sysfs"],
  ["cgroup2", "/sys/fs/cgroup", "cgroup2"],
] as const;

/**
 * The mounts of a configured node with that much memory. A full disk has no free space. etcd may have a
 * partition of its own, which is as large as EPHEMERAL here.
 */
export function mountsOf(
  memoryBytes: number,
  { isDiskFull, disk }: Pick<NodeState, "isDiskFull" | "disk">,
): readonly Mount[] {
  const partition = (label: Partition["label"], target: string): Mount => {
    const { path, sizeBytes, content } = partitionOf(label);
    return {
      source: path,
      target,
      filesystem: content,
      sizeBytes,
      availableBytes: isDiskFull ? 0 : Math.floor(sizeBytes * (1 - USED_PART)),
    };
  };
  const memory = (target: string, sizeBytes: number): Mount => ({
    source: "tmpfs",
    target,
    filesystem: "tmpfs",
    sizeBytes,
    availableBytes: sizeBytes - MEBIBYTE,
  });
  const half = Math.floor(memoryBytes * MEMORY_PART);
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
      sizeBytes: 80 * MEBIBYTE,
      availableBytes: 0,
    },
    memory("/run", half),
    memory("/system", half),
    memory("/tmp", 64 * MEBIBYTE),
    partition("STATE", "/system/state"),
    partition("EPHEMERAL", "/var"),
    ...(disk.hasOwnEtcd ? [partition("EPHEMERAL", PROMOTABLE.ETCD)] : []),
  ];
}
