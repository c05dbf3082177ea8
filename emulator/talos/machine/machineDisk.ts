import { randomBytes } from "node:crypto";
import type { LoadedConfig } from "../config/loadConfig";
import type { EtcdData } from "../etcd/etcdService";

/** What of a machine outlives a reboot. */
export interface MachineDisk {
  /** Names the node in its cluster. In STATE. */
  nodeId: string;
  /** The configuration to boot with. In STATE. */
  config: LoadedConfig | undefined;
  /** In EPHEMERAL. */
  etcd: EtcdData | undefined;
}

/** Partitions that can be wiped on their own. */
export type WipeablePartition = "STATE" | "EPHEMERAL";

/** A machine's disk before its first boot. */
export function emptyDisk(): MachineDisk {
  return { nodeId: newNodeId(), config: undefined, etcd: undefined };
}

/** Wipes partitions. */
export function wipe(disk: MachineDisk, partitions: readonly WipeablePartition[]): void {
  if (partitions.includes("STATE")) {
    disk.nodeId = newNodeId();
    disk.config = undefined;
  }
  if (partitions.includes("EPHEMERAL")) disk.etcd = undefined;
}

const base62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** 32 random bytes in base 62, as Talos makes node ids. */
function newNodeId(): string {
  let rest = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let id = "";
  while (rest > 0n) {
    id = (base62[Number(rest % 62n)] ?? "") + id;
    rest /= 62n;
  }
  return id;
}
