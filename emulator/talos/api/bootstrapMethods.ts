import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { talosMinor } from "../../../provider/config";
import { clientStream, unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { controlPlaneOnly } from "./controlPlaneOnly";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/**
 * Bootstrap: makes a control plane node the first member of etcd, which is empty or recovered from
 * a snapshot. Sources: `v1alpha1_server.go` of v1.12.1 and v1.14.1.
 */
export function bootstrapMethods({ state, control }: MethodContext): Method[] {
  return [
    unary(service.Bootstrap, async ({ recoverEtcd, recoverSkipHashCheck }) => {
      control.countBootstrap();
      if (!state.services.isUp("cri")) {
        throw new RpcError(status.FAILED_PRECONDITION, "bootstrap is not available yet");
      }
      const isNewer = (talosMinor(state.talosVersion) ?? 0) >= 14;
      if (!state.etcd) {
        throw controlPlaneOnly(
          state.talosVersion,
          "bootstrap",
          "bootstrap can only be performed on a control plane node",
        );
      }
      if (isNewer && state.config?.facts.etcdCa === undefined) {
        throw new RpcError(
          status.INVALID_ARGUMENT,
          "etcd is not configured, bootstrap is not possible",
        );
      }
      await state.etcd.bootstrap(recoverEtcd ? { skipHashCheck: recoverSkipHashCheck } : undefined);
      return { messages: [{}] };
    }),
    clientStream(service.EtcdRecover, async (parts) => {
      if (!state.etcd) {
        throw new RpcError(
          status.UNIMPLEMENTED,
          "etcd recover is only available on control plane nodes",
        );
      }
      const received: Buffer[] = [];
      for await (const { bytes } of parts) {
        received.push(bytes);
      }
      state.etcd.snapshot = Buffer.concat(received);
      return { messages: [{}] };
    }),
  ];
}
