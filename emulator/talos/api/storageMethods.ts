import { protocol } from "../../../provider/api/protocol";
import { disksOf } from "../machine/disks";
import type { NodeState } from "../machine/nodeState";
import { unary, type Method } from "../rpc/method";

const { service } = protocol.storage.StorageService;

/** `storage.StorageService`: the disks of the machine. */
export function storageMethods({ hardware }: NodeState): Method[] {
  return [
    unary(service.Disks, () => ({
      messages: [
        {
          disks: disksOf(hardware).map(({ path, name, sizeBytes, model, serial, isSystem }) => ({
            deviceName: path,
            name,
            size: `${sizeBytes}`,
            model,
            ...(serial !== undefined && { serial }),
            type: "NVME" as const,
            systemDisk: isSystem,
            subsystem: "/sys/class/block",
          })),
        },
      ],
    })),
  ];
}
