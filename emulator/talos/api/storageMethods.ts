import { protocol } from "../../../provider/api/protocol";
import { rootDisk } from "../machine/rootDisk";
import { unary, type Method } from "../rpc/method";

const { service } = protocol.storage.StorageService;

/** `storage.StorageService`: the disks of the machine. */
export function storageMethods(): Method[] {
  const { path, name, sizeBytes, model } = rootDisk;
  return [
    unary(service.Disks, () => ({
      messages: [
        {
          disks: [
            {
              deviceName: path,
              name,
              size: `${sizeBytes}`,
              model,
              type: "NVME" as const,
              systemDisk: true,
              subsystem: "/sys/class/block",
            },
          ],
        },
      ],
    })),
  ];
}
