import { protocol } from "../../../provider/api/protocol";
import type { ServiceInfo } from "../../../provider/api/gen/machine/ServiceInfo";
import type { Service } from "../machine/serviceBoard";
import { unary, type Method } from "../rpc/method";
import { timestamp } from "../rpc/timestamp";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** A node's services and their state. */
export function serviceMethods({ state }: MethodContext): Method[] {
  return [
    unary(service.ServiceList, () => ({
      messages: [{ services: state.services.list().map(serviceInfo) }],
    })),
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
