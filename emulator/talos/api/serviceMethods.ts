import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import type { ServiceInfo } from "../../../provider/api/gen/machine/ServiceInfo";
import type { Service } from "../machine/serviceBoard";
import { unary, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { timestamp } from "../rpc/timestamp";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** The services that may be started, stopped and restarted by hand. */
const restartable: ReadonlySet<string> = new Set(["kubelet"]);

/** A node's services: their state, and what of them can be stopped. */
export function serviceMethods({ state }: MethodContext): Method[] {
  const { services } = state;
  const requireAllowed = (id: string, operation: string) => {
    if (!services.find(id)) {
      throw new RpcError(status.UNKNOWN, `service ${JSON.stringify(id)} not defined`);
    }
    if (!restartable.has(id)) {
      throw new RpcError(
        status.UNKNOWN,
        `service ${JSON.stringify(id)} doesn't support ${operation} operation via API`,
      );
    }
  };
  const start = (id: string) => {
    services.transition(id, "Starting", "Starting service");
    services.transition(id, "Preparing", "Creating service runner");
    services.transition(id, "Running", `Started task ${id} for container ${id}`);
    services.checked(id);
  };
  const stop = (id: string) => {
    services.transition(id, "Stopping", `Sending SIGTERM to task ${id}`);
    services.transition(id, "Finished", "Service finished successfully");
  };
  return [
    unary(service.ServiceList, () => ({
      messages: [{ services: services.list().map(serviceInfo) }],
    })),
    unary(service.ServiceStart, ({ id }) => {
      requireAllowed(id, "start");
      start(id);
      return { messages: [{ resp: `Service ${JSON.stringify(id)} started` }] };
    }),
    unary(service.ServiceStop, ({ id }) => {
      requireAllowed(id, "stop");
      stop(id);
      return { messages: [{ resp: `Service ${JSON.stringify(id)} stopped` }] };
    }),
    unary(service.ServiceRestart, ({ id }) => {
      requireAllowed(id, "restart");
      stop(id);
      start(id);
      return { messages: [{ resp: `Service ${JSON.stringify(id)} restarted` }] };
    }),
  ];
}

function serviceInfo({ id, state, events, health }: Service): ServiceInfo {
  return {
    id,
    state,
    events: {
      events: events.map((event) => ({
        msg: event.message,
        state: event.state,
        ts: timestamp(event.at),
      })),
    },
    health: {
      unknown: health.unknown,
      healthy: health.healthy,
      lastMessage: health.message,
      lastChange: timestamp(health.changedAt),
    },
  };
}
