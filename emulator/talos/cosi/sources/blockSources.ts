import { type Disk, disksOf, rootDisk } from "../../machine/disks";
import type { NodeState } from "../../machine/nodeState";
import { type ResourceSource, sourceOf, type SourceValue } from "../resource";
import { encodeSpec } from "../specCodec";

const NAMESPACE = "runtime";

/** The disks of an instance: its root volume with Talos, and attached volumes. */
export function blockSources({ hardware }: NodeState): readonly ResourceSource[] {
  const { name, path } = rootDisk;
  return [
    sourceOf(
      { namespace: NAMESPACE, type: "Disks.block.talos.dev", owner: "block.DisksController" },
      () => disksOf(hardware).map(disk),
    ),
    sourceOf(
      {
        namespace: NAMESPACE,
        type: "SystemDisks.block.talos.dev",
        owner: "block.SystemDiskController",
      },
      () => [
        {
          id: "system-disk",
          spec: { diskID: name, devPath: path },
          proto: encodeSpec("SystemDisk", { diskId: name, devPath: path }),
        },
      ],
    ),
  ];
}

function disk({ name, path, sizeBytes, prettySize, model, sectorSize, serial }: Disk): SourceValue {
  return {
    id: name,
    spec: {
      dev_path: path,
      size: sizeBytes,
      pretty_size: prettySize,
      io_size: sectorSize,
      sector_size: sectorSize,
      readonly: false,
      cdrom: false,
      model,
      ...(serial === undefined ? {} : { serial }),
      sub_system: "/sys/class/block",
      transport: "nvme",
    },
    proto: encodeSpec("Disk", {
      size: `${sizeBytes}`,
      ioSize: `${sectorSize}`,
      sectorSize: `${sectorSize}`,
      model,
      serial,
      subSystem: "/sys/class/block",
      transport: "nvme",
      devPath: path,
      prettySize,
    }),
  };
}
