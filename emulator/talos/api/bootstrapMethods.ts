import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import { unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Bootstrap, which makes one control plane node the first member of etcd. */
export function bootstrapMethods({ state, control }: MethodContext): Method[] {
  return [
    unary(service.Bootstrap, async ({ recoverEtcd }) => {
      control.countBootstrap();
      if (!state.etcd) {
        throw new RpcError(
          status.FAILED_PRECONDITION,
          "bootstrap can only be performed on a control plane node",
        );
      }
      if (recoverEtcd) {
        throw new RpcError(
          status.UNIMPLEMENTED,
          "recovery of etcd from a snapshot is not simulated",
        );
      }
      await state.etcd.bootstrap();
      return { messages: [{}] };
    }),
  ];
}
