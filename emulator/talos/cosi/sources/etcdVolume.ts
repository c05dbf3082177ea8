import { type Disk, disksOf, prettyBytes } from "../../machine/disks";
import type { NodeState } from "../../machine/nodeState";
import { stableUuid, systemPartitions } from "../../machine/partitionTable";
import type { SourceValue } from "../resource";
import { encodeSpec } from "../specCodec";
import { volumeStatus } from "./volumeStatus";

/** etcd's own partition: the only one of the first attached volume, else one of the system disk. */
export function etcdVolume({ hardware }: NodeState): SourceValue {
  const disk = etcdDisk(hardware);
  const path = `${disk.path}p${disk.isSystem ? systemPartitions.length + 1 : 1}`;
  return volumeStatus("ETCD", {
    phase: "ready",
    type: "partition",
    location: path,
    mountLocation: path,
    parentLocation: disk.path,
    parentID: "/var/lib",
    uuid: stableUuid(hardware.instanceId, "ETCD", "xfs"),
    partitionUUID: stableUuid(hardware.instanceId, "ETCD"),
    size: disk.sizeBytes,
    prettySize: prettyBytes(disk.sizeBytes),
    filesystem: "xfs",
  });
}

function etcdDisk(hardware: NodeState["hardware"]): Disk {
  const [system, ...attached] = disksOf(hardware);
  const chosen = attached[0] ?? system;
  if (chosen === undefined) {
    throw new Error("the machine has no disk");
  }
  return chosen;
}

/** The same as a discovered partition. */
export function discoveredEtcd({ hardware }: NodeState): SourceValue {
  const disk = etcdDisk(hardware);
  const name = `${disk.name}p${disk.isSystem ? systemPartitions.length + 1 : 1}`;
  const uuid = stableUuid(hardware.instanceId, "ETCD", "xfs");
  const partitionUuid = stableUuid(hardware.instanceId, "ETCD");
  const { sizeBytes: size, prettySize } = disk;
  return {
    id: name,
    spec: {
      dev_path: `/dev/${name}`,
      type: "partition",
      parent: disk.name,
      size,
      uuid,
      name: "xfs",
      parent_dev_path: disk.path,
      pretty_size: prettySize,
      label: "ETCD",
      partition_uuid: partitionUuid,
      partition_label: "ETCD",
    },
    proto: encodeSpec("DiscoveredVolume", {
      devPath: `/dev/${name}`,
      type: "partition",
      parent: disk.name,
      size,
      uuid,
      name: "xfs",
      parentDevPath: disk.path,
      prettySize,
      label: "ETCD",
      partitionUuid,
      partitionLabel: "ETCD",
    }),
  };
}
