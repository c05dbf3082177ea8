import type { CallOptions } from "./callOptions";
import { defaultTimeoutMs } from "./callOptions";
import type { ServiceInfo__Output } from "./gen/machine/ServiceInfo";
import { createLineReader } from "./lineReader";
import { readMachineEvent } from "./machineEvent";
import type { NodeCalls, Reach } from "./nodeCalls";
import { protocol } from "./protocol";
import { formatTimestamp } from "./timestamp";

/** A service of Talos, such as etcd. */
export interface ServiceStatus {
  id: string;
  /** Such as `Running`, `Preparing`, `Finished`. */
  state: string;
  healthy: boolean;
  /** True while health was not checked yet, and for services that have no check. */
  healthUnknown: boolean;
  /** What the last check of its health said. */
  lastMessage: string;
  /** What happened to it lately, the oldest first. */
  events: ServiceEvent[];
}

/** A change of a service's state. */
export interface ServiceEvent {
  state: string;
  message: string;
  /** RFC 3339. */
  at: string | undefined;
}

/** Which log is read, and how much of it. */
export interface LogRequest {
  /** A service such as `machined`, or a container `<namespace>/<pod>:<container>` of Kubernetes. */
  id: string;
  /** Default: `system`, which is Talos' own services. */
  namespace?: "system" | "kubernetes";
  /** Whether to go on with what is written while the log is read. Default: false. */
  follow?: boolean;
  /** How many of the last lines there are to begin with. Default: all. */
  tailLines?: number;
}

/** Which events are read. By default those that happen while they are read. */
export interface EventsRequest {
  /** How many of the past events to begin with; -1 for all that the node still has. */
  tailEvents?: number;
  /** Begins after the event with this id. */
  tailId?: string;
  /** Begins with the events of so many seconds. */
  tailSeconds?: number;
  /** Only those of what this id was given to, by a call such as `reboot`. */
  actorId?: string;
}

/** The services of nodes, and what they and the machine write down. */
export function serviceCalls<R extends Reach>(nodes: NodeCalls<R>) {
  const machine = protocol.machine.MachineService.service;
  return {
    services: (call?: CallOptions) =>
      nodes.ask(
        machine.ServiceList,
        {},
        ({ services }): ServiceStatus[] => services.map(toServiceStatus),
        call,
      ),

    /** The lines of a log. `unknown` if there is no such log. */
    logs: (
      { id, namespace = "system", follow = false, tailLines = -1 }: LogRequest,
      call?: CallOptions,
    ) =>
      nodes.follow(
        machine.Logs,
        {
          ...(namespace === "system"
            ? { namespace: "system", driver: "CONTAINERD" }
            : { namespace: "k8s.io", driver: "CRI" }),
          ...{ id, follow, tailLines },
        },
        createLineReader,
        call,
        limitsOf(follow),
      ),

    /** The kernel's messages, a line each. `tail` leaves out those of the past; default: false. */
    dmesg: ({ follow = false, tail = false } = {}, call?: CallOptions) =>
      nodes.follow(
        machine.Dmesg,
        { follow, tail },
        () => (message) => (message ? [message.bytes.toString("utf8").trimEnd()] : []),
        call,
        limitsOf(follow),
      ),

    /** What happens on the node, for as long as it is read. */
    events: ({ actorId = "", ...tail }: EventsRequest = {}, call?: CallOptions) =>
      nodes.follow(
        machine.Events,
        { ...tail, withActorId: actorId },
        () => (message) => (message ? readMachineEvent(message) : []),
        call,
      ),
  };
}

/** A log that is not followed ends by itself, so a long silence in it is a node that hangs. */
function limitsOf(follow: boolean): { silenceMs?: number } {
  return follow ? {} : { silenceMs: defaultTimeoutMs };
}

function toServiceStatus({ id, state, health, events }: ServiceInfo__Output): ServiceStatus {
  return {
    id,
    state,
    healthy: health?.healthy ?? false,
    healthUnknown: health?.unknown ?? true,
    lastMessage: health?.lastMessage ?? "",
    events: (events?.events ?? []).map((event) => ({
      state: event.state,
      message: event.msg,
      at: formatTimestamp(event.ts),
    })),
  };
}
