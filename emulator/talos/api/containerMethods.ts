import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { containersOf } from "../machine/nodeContainers";
import { unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Methods for containers. */
export function containerMethods({ state }: MethodContext): Method[] {
  return [
    unary(service.Containers, (query) => ({
      messages: [
        {
          containers: containersOf(state, query).map(
            ({ id, internalId, podId, name, uid, image, pid, status: containerStatus }) => ({
              namespace: query.namespace,
              id,
              internalId,
              podId,
              name,
              uid,
              image,
              pid,
              status: containerStatus,
            }),
          ),
        },
      ],
    })),
    unary(service.Stats, (query) => ({
      messages: [
        {
          stats: containersOf(state, query).map(
            ({ id, podId, name, memoryBytes, cpuNanoseconds }) => ({
              namespace: query.namespace,
              id,
              podId,
              name,
              memoryUsage: `${memoryBytes}`,
              cpuUsage: `${Math.round(cpuNanoseconds)}`,
            }),
          ),
        },
      ],
    })),
    unary(service.Restart, ({ id, namespace, driver }) => {
      const found = containersOf(state, { namespace, driver }).some(
        (container) => container.id === id || container.id.startsWith(`${id}:`),
      );
      if (!found) {
        throw new RpcError(status.UNKNOWN, `container ${JSON.stringify(id)} not found`);
      }
      return { messages: [{}] };
    }),
  ];
}
