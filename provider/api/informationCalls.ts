import type { CallOptions } from "./callOptions";
import type { Disk__Output } from "./gen/storage/Disk";
import type { Time__Output } from "./gen/time/Time";
import type { NodeCalls, Reach } from "./nodeCalls";
import { protocol } from "./protocol";
import { formatTimestamp } from "./timestamp";

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

/** The memory of a machine, in bytes. */
export interface MemoryInfo {
  totalBytes: number;
  freeBytes: number;
  /** The memory that programs could still get, including caches. */
  availableBytes: number;
}

/** The namespace of containers and images: Talos' own services, or Kubernetes. */
export type ContainerNamespace = "system" | "kubernetes";

/** A container of a node. */
export interface NodeContainer {
  id: string;
  name: string;
  image: string;
  /** For example `RUNNING`. */
  status: string;
  /** 0 if it isn't running. */
  processId: number;
  /** `<namespace>/<pod>` in Kubernetes. */
  podId: string;
}

/** An image on a node. */
export interface NodeImage {
  name: string;
  digest: string;
  sizeBytes: number;
  /** RFC 3339. */
  createdAt: string | undefined;
}

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

/** The clocks of a node and of a time server. */
export interface NodeTime {
  /** The time server. */
  server: string;
  /** The node's time, RFC 3339. */
  local: string | undefined;
  /** The server's time, RFC 3339. */
  remote: string | undefined;
}

/** Image pulls take longer than other calls, because layers come from a registry. */
const PULL_TIMEOUT_MS = 600_000;

/** Calls for information about nodes. All except `imagePull` only read. */
export function informationCalls<R extends Reach>(nodes: NodeCalls<R>) {
  const machine = protocol.machine.MachineService.service;
  const storage = protocol.storage.StorageService.service;
  const clock = protocol.time.TimeService.service;
  return {
    /** The Talos version of the node. `unimplemented` in maintenance mode. */
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

    /** The hostname of the node. */
    hostname: (call?: CallOptions) =>
      nodes.ask(machine.Hostname, {}, ({ hostname }) => hostname, call),

    memory: (call?: CallOptions) =>
      nodes.ask(
        machine.Memory,
        {},
        ({ meminfo }): MemoryInfo => ({
          // The kernel counts in KiB (proc(5), /proc/meminfo).
          totalBytes: Number(meminfo?.memtotal ?? 0) * 1024,
          freeBytes: Number(meminfo?.memfree ?? 0) * 1024,
          availableBytes: Number(meminfo?.memavailable ?? 0) * 1024,
        }),
        call,
      ),

    /** When the machine started, in seconds since 1970. */
    bootTime: (call?: CallOptions) =>
      nodes.ask(machine.SystemStat, {}, ({ bootTime }) => Number(bootTime), call),

    containers: (request: { namespace: ContainerNamespace }, call?: CallOptions) =>
      nodes.ask(
        machine.Containers,
        request.namespace === "system"
          ? { namespace: "system", driver: "CONTAINERD" }
          : { namespace: "k8s.io", driver: "CRI" },
        ({ containers }): NodeContainer[] =>
          containers.map(({ id, name, image, status, pid, podId }) => {
            return { id, name, image, status, processId: pid, podId };
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

    images: (request: { namespace: ContainerNamespace }, call?: CallOptions) =>
      nodes.gather(
        machine.ImageList,
        { namespace: imageNamespaces[request.namespace] },
        (messages): NodeImage[] =>
          messages.map(({ name, digest, size, createdAt }) => {
            return { name, digest, sizeBytes: Number(size), createdAt: formatTimestamp(createdAt) };
          }),
        call,
      ),

    /**
     * Makes the node pull an image. Default deadline: 10 min. `notFound` if the registry does not
     * have it.
     */
    imagePull: (
      request: { namespace: ContainerNamespace; reference: string },
      call?: CallOptions,
    ) =>
      nodes.ask(
        machine.ImagePull,
        { namespace: imageNamespaces[request.namespace], reference: request.reference },
        () => undefined,
        { timeoutMs: PULL_TIMEOUT_MS, ...call },
      ),

    /**
     * Compares the node's clock with its time server or another one. `unknown` if that does not
     * answer.
     */
    time: (request: { server?: string } = {}, call?: CallOptions) =>
      request.server === undefined
        ? nodes.ask(clock.Time, {}, toTime, call)
        : nodes.ask(clock.TimeCheck, { server: request.server }, toTime, call),
  };
}

const imageNamespaces = { system: "NS_SYSTEM", kubernetes: "NS_CRI" } as const;

function toDisk(disk: Disk__Output): MachineDisk {
  const { deviceName, model, serial, wwid, uuid, type, busPath } = disk;
  return {
    ...{ deviceName, sizeBytes: Number(disk.size), model, serial, wwid, uuid, type, busPath },
    isSystemDisk: disk.systemDisk,
    isReadOnly: disk.readonly,
  };
}

function toTime({ server, localtime, remotetime }: Time__Output): NodeTime {
  return { server, local: formatTimestamp(localtime), remote: formatTimestamp(remotetime) };
}
