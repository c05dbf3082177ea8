import { hasPromotable, PROMOTABLE } from "../../config/ownVolumes";
import { type Disk, disksOf, prettyBytes, rootDisk } from "../../machine/disks";
import type { NodeState } from "../../machine/nodeState";
import { type Partition, stableUuid, systemPartitions } from "../../machine/partitionTable";
import { type ResourceSource, sourceOf, type SourceValue } from "../resource";
import { encodeSpec } from "../specCodec";
import { discoveredEtcd, etcdVolume } from "./etcdVolume";
import { volumeStatus } from "./volumeStatus";

const NAMESPACE = "runtime";

/**
 * Directories that Talos manages as volumes of a configured node, and a link [observed]. Some have
 * ids of their own since v1.14.
 */
const directoryVolumes = [
  "/var/lib",
  "/var/lib/cni",
  PROMOTABLE.CRI,
  PROMOTABLE.KUBELET,
  "/var/lib/kubelet/seccomp",
  "/var/lib/kubelet/seccomp/profiles",
  PROMOTABLE.LOG,
  "/var/log/audit",
  "/var/log/audit/kube",
  "/var/log/containers",
  "/var/log/pods",
  "/var/mnt",
  "/var/run/lock",
];

const mountPoints: Partial<Record<Partition["label"], string>> = {
  STATE: "/system/state",
  EPHEMERAL: "/var",
};

/** The volumes that are discovered on the system disk, and Talos' volumes. */
export function volumeSources(node: NodeState): readonly ResourceSource[] {
  return [
    sourceOf(
      {
        namespace: NAMESPACE,
        type: "DiscoveredVolumes.block.talos.dev",
        owner: "block.DiscoveryController",
      },
      () => [
        ...disksOf(node.hardware).map((disk) => discoveredDisk(node, disk)),
        ...partitionsOf(node).map((one) => discovered(node, one)),
        ...(node.disk.hasOwnEtcd ? [discoveredEtcd(node)] : []),
      ],
    ),
    sourceOf(
      {
        namespace: NAMESPACE,
        type: "VolumeStatuses.block.talos.dev",
        owner: "block.VolumeManagerController",
      },
      () => volumeStatuses(node),
    ),
    sourceOf(
      {
        namespace: NAMESPACE,
        type: "MountStatuses.runtime.talos.dev",
        owner: "block.MountStatusController",
      },
      () =>
        partitionsOf(node).flatMap((partition) => {
          const target = mountPoints[partition.label];
          return target === undefined ? [] : [mountStatus(partition, target)];
        }),
    ),
  ];
}

/**
 * The partitions on the disk. Talos creates STATE and EPHEMERAL when it has a configuration to
 * store.
 */
function partitionsOf(node: NodeState): readonly Partition[] {
  const { boot, hasEphemeral } = node.disk;
  if (!boot) {
    return [];
  }
  const isConfigured = node.config !== undefined;
  return systemPartitions.filter(
    ({ label }) =>
      isConfigured || mountPoints[label] === undefined || (label === "EPHEMERAL" && hasEphemeral),
  );
}

/** An attached volume is empty: Talos only formats volumes of its configuration. */
function discoveredDisk({ hardware, disk }: NodeState, found: Disk): SourceValue {
  const { name, path, sizeBytes, prettySize, sectorSize, serial, isSystem } = found;
  const uuid = stableUuid(hardware.instanceId, serial ?? "disk");
  const content = isSystem && disk.boot ? "gpt" : "";
  const common = { type: "disk", size: sizeBytes, offset: 0, name: content };
  return {
    id: name,
    spec: {
      dev_path: path,
      ...common,
      device_path: `/devices/${name}`,
      pretty_size: prettySize,
      sector_size: sectorSize,
      io_size: sectorSize,
      uuid,
    },
    proto: encodeSpec("DiscoveredVolume", {
      ...common,
      uuid,
      devPath: path,
      devicePath: `/devices/${name}`,
      prettySize,
      sectorSize,
      ioSize: sectorSize,
    }),
  };
}

function discovered(node: NodeState, partition: Partition): SourceValue {
  const { name, path, label, index, offsetBytes, sizeBytes, type, content } = partition;
  const { sectorSize } = rootDisk;
  const prettySize = prettyBytes(sizeBytes);
  const partitionUuid = stableUuid(node.hardware.instanceId, label);
  const hasFileSystem = content === "xfs" || content === "vfat";
  const fileSystemLabel = hasFileSystem ? label : "";
  const fileSystemUuid = hasFileSystem ? stableUuid(node.hardware.instanceId, label, content) : "";
  return {
    id: name,
    spec: {
      dev_path: path,
      type: "partition",
      device_path: `/devices/${rootDisk.name}/${name}`,
      parent: rootDisk.name,
      parent_dev_path: rootDisk.path,
      offset: offsetBytes,
      size: sizeBytes,
      pretty_size: prettySize,
      sector_size: sectorSize,
      io_size: sectorSize,
      name: content,
      ...(hasFileSystem ? { uuid: fileSystemUuid, label: fileSystemLabel } : {}),
      partition_uuid: partitionUuid,
      partition_type: type,
      partition_label: label,
      partition_index: index,
    },
    proto: encodeSpec("DiscoveredVolume", {
      devPath: path,
      type: "partition",
      devicePath: `/devices/${rootDisk.name}/${name}`,
      parent: rootDisk.name,
      parentDevPath: rootDisk.path,
      offset: offsetBytes,
      size: sizeBytes,
      prettySize,
      sectorSize,
      ioSize: sectorSize,
      name: content,
      uuid: fileSystemUuid,
      label: fileSystemLabel,
      partitionUuid,
      partitionType: type,
      partitionLabel: label,
      partitionIndex: index,
    }),
  };
}

function volumeStatuses(node: NodeState): SourceValue[] {
  const partitions = partitionsOf(node)
    .filter(({ label }) => label === "META" || mountPoints[label] !== undefined)
    .map((partition) => partitionVolume(node, partition));
  if (!node.config) {
    return partitions;
  }
  // Up to v1.13, only control planes have one for etcd.
  const isNewer = hasPromotable(node.talosVersion);
  const etcd = node.disk.hasOwnEtcd
    ? [etcdVolume(node)]
    : node.etcd || isNewer
      ? [directoryVolume("ETCD", "EPHEMERAL")]
      : [];
  const ids = new Map<string, string>(
    isNewer ? Object.entries(PROMOTABLE).map(([id, path]) => [path, id]) : [],
  );
  return [
    ...partitions,
    ...directoryVolumes.map((path) => directoryVolume(ids.get(path) ?? path, "EPHEMERAL")),
    ...etcd,
    volumeStatus("/var/run", { type: "symlink", phase: "ready", parentID: "EPHEMERAL" }),
  ];
}

function partitionVolume(node: NodeState, partition: Partition): SourceValue {
  const { label, path, sizeBytes, index, content } = partition;
  return volumeStatus(label, {
    phase: "ready",
    type: "partition",
    location: path,
    mountLocation: path,
    partitionIndex: index,
    parentLocation: rootDisk.path,
    uuid: stableUuid(node.hardware.instanceId, label, content),
    partitionUUID: stableUuid(node.hardware.instanceId, label),
    size: sizeBytes,
    prettySize: prettyBytes(sizeBytes),
    ...(content === "xfs" ? { filesystem: content } : {}),
  });
}

function directoryVolume(id: string, parentID: string): SourceValue {
  return volumeStatus(id, { phase: "ready", type: "directory", parentID });
}

function mountStatus({ label, path, content }: Partition, target: string): SourceValue {
  const spec = { source: path, target, filesystemType: content };
  return {
    id: label,
    spec: { ...spec, options: [], encrypted: false },
    proto: encodeSpec("MountStatus", spec),
  };
}
