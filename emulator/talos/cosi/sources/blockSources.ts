import type { ResourceSource } from "../resource";
import { rootDisk } from "../../machine/rootDisk";
import { encodeSpec } from "../specCodec";

const namespace = "runtime";
const diskType = "Disks.block.talos.dev";
const systemDiskType = "SystemDisks.block.talos.dev";

const { name, path, sizeBytes, prettySize, model, sectorSize } = rootDisk;

/** The one disk of an instance: its root volume, which Talos runs from. */
export const blockSources: readonly ResourceSource[] = [
  {
    namespace,
    type: diskType,
    values: () => [
      {
        namespace,
        type: diskType,
        id: name,
        owner: "block.DisksController",
        spec: {
          dev_path: path,
          size: sizeBytes,
          pretty_size: prettySize,
          io_size: sectorSize,
          sector_size: sectorSize,
          readonly: false,
          cdrom: false,
          model,
          sub_system: "/sys/class/block",
          transport: "nvme",
        },
        proto: encodeSpec("Disk", {
          size: `${sizeBytes}`,
          ioSize: `${sectorSize}`,
          sectorSize: `${sectorSize}`,
          model,
          subSystem: "/sys/class/block",
          transport: "nvme",
          devPath: path,
          prettySize,
        }),
      },
    ],
  },
  {
    namespace,
    type: systemDiskType,
    values: () => [
      {
        namespace,
        type: systemDiskType,
        id: "system-disk",
        owner: "block.SystemDiskController",
        spec: { diskID: name, devPath: path },
        proto: encodeSpec("SystemDisk", { diskId: name, devPath: path }),
      },
    ],
  },
];
