import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { messageOfError } from "../../../provider/base";
import { imagesOf, requireImage, storeOf } from "../machine/nodeImages";
import { serverStream, unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { timestamp } from "../rpc/times";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Methods for container images on the node's disk (talos v1.12.1, `v1alpha1_images.go`). */
export function imageMethods({ state }: MethodContext): Method[] {
  const known = (namespace: string): "NS_CRI" | "NS_SYSTEM" => {
    if (namespace === "NS_CRI" || namespace === "NS_SYSTEM") {
      return namespace;
    }
    throw new RpcError(status.INVALID_ARGUMENT, `invalid namespace ${namespace}`);
  };
  return [
    serverStream(service.ImageList, async function* ({ namespace }) {
      for (const { name, digest, sizeBytes, createdAt } of imagesOf(state, known(namespace))) {
        yield { name, digest, size: `${sizeBytes}`, createdAt: timestamp(createdAt) };
      }
      await Promise.resolve();
    }),
    unary(service.ImagePull, ({ namespace, reference }) => {
      const store = storeOf(state.disk, known(namespace));
      try {
        store.set(requireImage(reference), new Date());
      } catch (error) {
        const reason = messageOfError(error);
        throw new RpcError(status.NOT_FOUND, `error pulling image: ${reason}`);
      }
      return { messages: [{}] };
    }),
  ];
}
