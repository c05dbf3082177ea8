import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** The size of META in bytes, including tags (talos v1.12.1, `adv.Size`). */
const MAX_BYTES = 256 * 1024;

/**
 * Methods for values in the META partition, which survive reboots (talos v1.12.1,
 * `v1alpha1_meta.go`).
 */
export function metaMethods({ state, resources }: MethodContext): Method[] {
  const { meta } = state.disk;
  const require = (key: number) => {
    if (key > 255) {
      throw new RpcError(status.INVALID_ARGUMENT, "key must be a uint8");
    }
  };
  return [
    unary(service.MetaWrite, ({ key, value }) => {
      require(key);
      const others = [...meta].filter(([tag]) => tag !== key);
      const used = others.reduce((sum, [, text]) => sum + Buffer.byteLength(text), value.length);
      if (used > MAX_BYTES) {
        throw new RpcError(status.RESOURCE_EXHAUSTED, "meta write failed");
      }
      meta.set(key, value.toString("utf8"));
      resources.changed();
      return { messages: [{}] };
    }),
    unary(service.MetaDelete, ({ key }) => {
      require(key);
      if (!meta.delete(key)) {
        throw new RpcError(status.NOT_FOUND, "meta key not found");
      }
      resources.changed();
      return { messages: [{}] };
    }),
  ];
}
