import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import { adminKubeconfig } from "../kubernetes/adminKubeconfig";
import { fileArchive } from "./fileArchive";
import { serverStream, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Kubeconfig: made from the configuration alone, so it works before the cluster does. */
export function kubeconfigMethods({ state }: MethodContext): Method[] {
  return [
    serverStream(service.Kubeconfig, async function* () {
      const facts = state.config?.facts;
      if (facts?.machineType !== "controlplane") {
        throw new RpcError(
          status.UNIMPLEMENTED,
          "kubeconfig is only available on control plane nodes",
        );
      }
      const text = await adminKubeconfig(facts);
      yield { bytes: fileArchive("kubeconfig", Buffer.from(text), new Date()) };
    }),
  ];
}
