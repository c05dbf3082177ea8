import { randomBytes } from "node:crypto";
import type { LoadedConfig } from "../config/loadConfig";
import type { EtcdData } from "../etcd/etcdService";
import type { InstalledSystem } from "./installerImage";

/** Volumes of Talos that a configuration can encrypt. */
export type SystemVolume = "STATE" | "EPHEMERAL";

/** The parts of a machine that survive a reboot. */
export interface MachineDisk {
  /** The node's id in its cluster. In STATE. */
  nodeId: string;
  /** The configuration of the next boot. In STATE. */
  config: LoadedConfig | undefined;
  /** Whether EPHEMERAL holds a file system, as it does from the first configuration until it is wiped. */
  hasEphemeral: boolean;
  /** The volumes that Talos has made, and how. */
  readonly volumes: Map<SystemVolume, "plain" | "encrypted">;
  /** In EPHEMERAL, or in a partition of its own. */
  etcd: EtcdData | undefined;
  /** Whether it has a partition of its own. */
  hasOwnEtcd: boolean;
  /** Values by their tag, 0 to 255. In META. */
  readonly meta: Map<number, string>;
  /**
   * The times of image pulls through the API, by reference, without the images of pods. In
   * EPHEMERAL.
   */
  readonly images: Map<string, Date>;
  /** The same of Talos' own containers, such as installers. */
  readonly systemImages: Map<string, Date>;
  /** The installed systems. Undefined after a wipe of the whole disk, when nothing boots. In BOOT. */
  boot: BootEntries | undefined;
  /** Whether the system that boots next was installed, and has not come up yet. In META. */
  isUntried: boolean;
}

/** The two installed systems: the one that boots, and the previous one. */
export interface BootEntries {
  readonly next: "A" | "B";
  readonly A: InstalledSystem | undefined;
  readonly B: InstalledSystem | undefined;
}

/** Tag of the image to upgrade to at the next boot (talos v1.12.1, `meta.StagedUpgradeImageRef`). */
export const stagedUpgradeTag = 7;

/** Partitions that can be wiped on their own. */
export type WipeablePartition = "STATE" | "EPHEMERAL" | "META" | "ETCD";

/** The disk of a new machine. */
export function newDisk(system: InstalledSystem): MachineDisk {
  return {
    nodeId: newNodeId(),
    config: undefined,
    hasEphemeral: false,
    volumes: new Map(),
    etcd: undefined,
    hasOwnEtcd: false,
    meta: new Map(),
    images: new Map(),
    systemImages: new Map(),
    isUntried: false,
    boot: { next: "A", A: system, B: undefined },
  };
}

/** The system that boots next. */
export function nextSystem({ boot }: MachineDisk): InstalledSystem | undefined {
  return boot?.[boot.next];
}

/** Installs a system beside the running one and boots it next, as an upgrade does. */
export function install(disk: MachineDisk, system: InstalledSystem): void {
  if (!disk.boot) {
    return;
  }
  const next = disk.boot.next === "A" ? "B" : "A";
  disk.boot = { ...disk.boot, [next]: system, next };
  disk.isUntried = true;
}

/** Boots the other system next. Returns false when there is none. */
export function revert(disk: MachineDisk): boolean {
  const other = disk.boot?.next === "A" ? "B" : "A";
  if (disk.boot?.[other] === undefined) {
    return false;
  }
  disk.boot = { ...disk.boot, next: other };
  disk.isUntried = false;
  return true;
}

/** Wipes partitions. */
export function wipe(disk: MachineDisk, partitions: readonly WipeablePartition[]): void {
  if (partitions.includes("STATE")) {
    disk.nodeId = newNodeId();
    disk.config = undefined;
    disk.volumes.delete("STATE");
  }
  if (partitions.includes("EPHEMERAL")) {
    disk.hasEphemeral = false;
    disk.volumes.delete("EPHEMERAL");
    disk.images.clear();
    disk.systemImages.clear();
  }
  if (partitions.includes(disk.hasOwnEtcd ? "ETCD" : "EPHEMERAL")) {
    disk.etcd = undefined;
    disk.hasOwnEtcd = false;
  }
  if (partitions.includes("META")) {
    disk.meta.clear();
  }
}

/** Places etcd as a configuration says. Data in another place is not found. */
export function placeEtcd(disk: MachineDisk, isOwn: boolean): void {
  if (disk.hasOwnEtcd !== isOwn) {
    disk.etcd = undefined;
    disk.hasOwnEtcd = isOwn;
  }
}

/** Wipes everything, even the system, so that the machine can't boot. */
export function wipeWhole(disk: MachineDisk): void {
  wipe(disk, ["STATE", "EPHEMERAL", "META", "ETCD"]);
  disk.boot = undefined;
}

const BASE62 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** 32 random bytes in base 62, the form of Talos' node ids. */
function newNodeId(): string {
  let rest = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let id = "";
  while (rest > 0n) {
    id = (BASE62[Number(rest % 62n)] ?? "") + id;
    rest /= 62n;
  }
  return id;
}
