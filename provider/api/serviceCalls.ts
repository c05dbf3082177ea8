import { StringDecoder } from "node:string_decoder";
import { type CallOptions, defaultTimeoutMs } from "./callOptions";
import type { ServiceInfo__Output } from "./gen/machine/ServiceInfo";
import { readMachineEvent } from "./machineEvent";
import type { NodeCalls, Reach } from "./nodeCalls";
import { protocol } from "./protocol";
import { formatTimestamp } from "./timestamp";

/** A service of Talos, for example etcd. */
export interface ServiceStatus {
  /** Its name, for example `etcd`. */
  id: string;
  /** For example `Running`, `Preparing`, `Finished`. */
  state: string;
  /** Whether its last health check succeeded. */
  healthy: boolean;
  /** True while its health was not checked yet, and for services without a check. */
  healthUnknown: boolean;
  /** The message of its last health check. */
  lastMessage: string;
  /** Its latest events, the oldest first. */
  events: ServiceEvent[];
}

/** A change of a service's state. */
export interface ServiceEvent {
  /** The state that it entered. */
  state: string;
  /** The reason. */
  message: string;
  /** RFC 3339. */
  at: string | undefined;
}

/** The log to read, and how much of it. */
export interface LogRequest {
  /**
   * A service such as `machined`, or a container of Kubernetes as `<namespace>/<pod>:<container>`.
   */
  id: string;
  /** Default: `system`, Talos' own services. */
  namespace?: "system" | "kubernetes";
  /** Whether to continue with new lines. Default: false. */
  follow?: boolean;
  /** The number of past lines to begin with. Default: all. */
  tailLines?: number;
}

/** The events to read. Default: only new ones. */
export interface EventsRequest {
  /** The number of past events to begin with; -1 for all that the node still has. */
  tailEvents?: number;
  /** Begins after the event with this id. */
  tailId?: string;
  /** Begins with the events of the last seconds. */
  tailSeconds?: number;
  /** Only events with this actor id, which calls such as `reboot` return. */
  actorId?: string;
}

/** Calls for the services of nodes, their logs and events. */
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
          id,
          follow,
          tailLines,
        },
        createLineReader,
        call,
        limitsOf(follow),
      ),

    /** The events of the node, as long as they are read. */
    events: ({ actorId = "", ...tail }: EventsRequest = {}, call?: CallOptions) =>
      nodes.follow(
        machine.Events,
        { ...tail, withActorId: actorId },
        () => (message) => (message ? readMachineEvent(message) : []),
        call,
      ),
  };
}

/** A log without `follow` ends by itself, so a long silence means that the node hangs. */
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

/** Joins lines from the chunks of a log. A chunk may end inside a character. */
function createLineReader(): (message: { readonly bytes: Buffer } | undefined) => string[] {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (message) => {
    const text = rest + (message ? decoder.write(message.bytes) : decoder.end());
    const lines = text.split(/\r?\n/);
    rest = message ? (lines.pop() ?? "") : "";
    // After the last newline, an empty string remains.
    return message || lines.at(-1) !== "" ? lines : lines.slice(0, -1);
  };
}
