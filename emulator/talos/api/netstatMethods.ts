import { protocol } from "../../../provider/api";
import { socketsOf } from "../machine/sockets";
import { unary, type Method } from "../rpc/method";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Methods for network sockets of the node. Sockets in pod networks are not simulated. */
export function netstatMethods({ state }: MethodContext): Method[] {
  return [
    unary(service.Netstat, ({ filter, l4proto, feature, netns }) => ({
      messages: [
        {
          connectrecord:
            netns?.hostnetwork === false
              ? []
              : socketsOf(state)
                  .filter((socket) => l4proto?.[socket.protocol] === true)
                  .filter(
                    ({ remotePort }) =>
                      filter === "ALL" || (filter === "LISTENING") === (remotePort === 0),
                  )
                  .map((socket) => ({
                    l4proto: socket.protocol,
                    localip: socket.localAddress,
                    localport: socket.localPort,
                    remoteip: socket.remoteAddress,
                    remoteport: socket.remotePort,
                    state: socket.remotePort === 0 ? ("LISTEN" as const) : ("ESTABLISHED" as const),
                    process: feature?.pid === true ? { pid: socket.pid, name: socket.program } : {},
                  })),
        },
      ],
    })),
  ];
}
