import { randomUUID } from "node:crypto";
import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import type { ResetRequest__Output } from "../../../provider/api/gen/machine/ResetRequest";
import type { WipeablePartition } from "../machine/machineDisk";
import { rootDisk } from "../machine/rootDisk";
import { unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Reboot, Shutdown and Reset: each answers with the id of the work that follows. */
export function powerMethods({ control }: MethodContext): Method[] {
  const accepted = () => ({ messages: [{ actorId: randomUUID() }] });
  return [
    unary(service.Reboot, () => {
      control.reboot();
      return accepted();
    }),
    unary(service.Shutdown, () => {
      control.shutdown();
      return accepted();
    }),
    unary(service.Reset, (request) => {
      const partitions = partitionsToWipe(request);
      control.reset({ graceful: request.graceful, reboot: request.reboot, partitions });
      return accepted();
    }),
  ];
}

/** Raises `UNKNOWN` in Talos' words for a request that contradicts itself or names what is not there. */
function partitionsToWipe(request: ResetRequest__Output): WipeablePartition[] {
  const { mode, systemPartitionsToWipe, userDisksToWipe } = request;
  if (userDisksToWipe.length > 0) {
    if (mode === "SYSTEM_DISK") {
      throw invalid(
        "reset failed: invalid input, wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter",
      );
    }
    const [device = ""] = userDisksToWipe;
    throw invalid(
      device === rootDisk.path
        ? `reset user disk failed: device ${device} is the system disk`
        : `reset user disk failed: device ${device} wasn't found`,
    );
  }
  if (systemPartitionsToWipe.length > 0) {
    if (mode === "USER_DISKS") {
      throw invalid(
        "reset failed: invalid input, wipe mode USER_DISKS doesn't support SystemPartitionsToWipe parameter",
      );
    }
    return systemPartitionsToWipe.filter(({ wipe }) => wipe).map(({ label }) => partition(label));
  }
  return mode === "USER_DISKS" ? [] : ["STATE", "EPHEMERAL"];
}

function partition(label: string): WipeablePartition {
  if (label === "STATE" || label === "EPHEMERAL") return label;
  throw invalid(
    `failed to get volume status with label ${JSON.stringify(label)}: resource VolumeStatuses.block.talos.dev(runtime/${label}@undefined) doesn't exist`,
  );
}

function invalid(message: string): RpcError {
  return new RpcError(status.UNKNOWN, message);
}
