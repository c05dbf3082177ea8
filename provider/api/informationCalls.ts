import type { CallOptions } from "./callOptions";
import type { Disk__Output } from "./gen/storage/Disk";
import type { NodeCalls, Reach } from "./nodeCalls";
import { protocol } from "./protocol";

/** The answer to Version. */
export interface TalosVersion {
  /** For example `v1.12.1`. */
  tag: string;
  /** The commit of the build. */
  sha: string;
  /** For example `amd64`. */
  architecture: string;
  /** For example `aws`; empty if the node does not report it. */
  platform: string;
  /** `cloud`, `metal` or `container`; empty if the node does not report it. */
  platformMode: string;
}

/** The namespace of images: Talos' own services, or Kubernetes. */
export type ImageNamespace = "system" | "kubernetes";

/** A disk of a machine. */
export interface MachineDisk {
  /** For example `/dev/nvme0n1`. */
  deviceName: string;
  /** Its size. */
  sizeBytes: number;
  /** Its model. */
  model: string;
  /** Its serial number; empty if it reports none. */
  serial: string;
  /** Its World Wide Identifier; empty if it has none. */
  wwid: string;
  /** Its UUID; empty if it has none. */
  uuid: string;
  /** The kind of disk. */
  type: "UNKNOWN" | "SSD" | "HDD" | "NVME" | "SD" | "CD";
  /** Its path on the bus of the machine. */
  busPath: string;
  /** Whether Talos is installed on it. */
  isSystemDisk: boolean;
  /** Whether it can only be read. */
  isReadOnly: boolean;
}

/** A mounted file system of a node. */
export interface NodeMount {
  /** For example `/dev/nvme0n1p6`. */
  source: string;
  /** For example `/var`. */
  target: string;
  /** 0 for virtual file systems. */
  sizeBytes: number;
  availableBytes: number;
}

/** Image pulls take longer than other calls, because layers come from a registry. */
const PULL_TIMEOUT_MS = 600_000;

/** Calls for information about nodes. All except `imagePull` only read. */
export function informationCalls<R extends Reach>(nodes: NodeCalls<R>) {
  const machine = protocol.machine.MachineService.service;
  const storage = protocol.storage.StorageService.service;
  return {
    /** The Talos version of the node. `unimplemented` in maintenance mode of Talos v1.12 and older. */
    version: (call?: CallOptions) =>
      nodes.ask(
        machine.Version,
        {},
        ({ version, platform }): TalosVersion => ({
          tag: version?.tag ?? "",
          sha: version?.sha ?? "",
          architecture: version?.arch ?? "",
          platform: platform?.name ?? "",
          platformMode: platform?.mode ?? "",
        }),
        call,
      ),

    /** The disks of the machine. Works in maintenance mode. Containers have none. */
    disks: (call?: CallOptions) =>
      nodes.ask(storage.Disks, {}, ({ disks }): MachineDisk[] => disks.map(toDisk), call),

    /** The mounted file systems, with their free space. */
    mounts: (call?: CallOptions) =>
      nodes.ask(
        machine.Mounts,
        {},
        ({ stats }): NodeMount[] =>
          stats.map(({ filesystem, mountedOn, size, available }) => ({
            source: filesystem,
            target: mountedOn,
            sizeBytes: Number(size),
            availableBytes: Number(available),
          })),
        call,
      ),

    /**
     * Makes the node pull an image. Default deadline: 10 min. `notFound` if the registry does not
     * have it.
     */
    imagePull: (request: { namespace: ImageNamespace; reference: string }, call?: CallOptions) =>
      nodes.ask(
        machine.ImagePull,
        { namespace: imageNamespaces[request.namespace], reference: request.reference },
        () => undefined,
        { timeoutMs: PULL_TIMEOUT_MS, ...call },
      ),
  };
}

const imageNamespaces = { system: "NS_SYSTEM", kubernetes: "NS_CRI" } as const;

function toDisk(disk: Disk__Output): MachineDisk {
  const { deviceName, model, serial, wwid, uuid, type, busPath } = disk;
  return {
    deviceName,
    sizeBytes: Number(disk.size),
    model,
    serial,
    wwid,
    uuid,
    type,
    busPath,
    isSystemDisk: disk.systemDisk,
    isReadOnly: disk.readonly,
  };
}
