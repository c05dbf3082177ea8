import type { Any__Output } from "./gen/google/protobuf/Any";
import type { Event__Output } from "./gen/machine/Event";
import { protocol } from "./protocol";
import { redactServerMessage } from "./serverMessage";

/** An event of a node. */
export interface MachineEvent {
  /** Increases with time. `events` can start after it. */
  id: string;
  /** The id of the request that caused it; empty for an event without a request. */
  actorId: string;
  payload: MachineEventPayload;
}

/** The content of an event. */
export type MachineEventPayload =
  | { kind: "serviceState"; service: string; state: string; message: string; healthy?: boolean }
  | { kind: "sequence"; sequence: string; action: string; error: string }
  | { kind: "phase"; phase: string; action: string }
  | { kind: "task"; task: string; action: string }
  | { kind: "machineStatus"; stage: string; ready: boolean; unmetConditions: UnmetCondition[] }
  | { kind: "address"; hostname: string; addresses: string[] }
  | { kind: "configLoadError" | "configValidationError"; error: string }
  | { kind: "restart" }
  | { kind: "other"; type: string };

/** A reason why a machine is not ready. */
export interface UnmetCondition {
  name: string;
  reason: string;
}

/** By the message's name, which Talos v1.12.1 writes as `talos/runtime/machine.<name>`. */
const readers: Readonly<Record<string, (bytes: Buffer) => MachineEventPayload>> = {
  ServiceStateEvent: (bytes) => {
    const { service, action, message, health } =
      protocol.machine.ServiceStateEvent.deserialize(bytes);
    const isKnown = health !== null && !health.unknown;
    return {
      kind: "serviceState",
      service,
      state: action,
      message,
      ...(isKnown ? { healthy: health.healthy } : {}),
    };
  },
  SequenceEvent: (bytes) => {
    const { sequence, action, error } = protocol.machine.SequenceEvent.deserialize(bytes);
    return {
      kind: "sequence",
      sequence,
      action,
      error: redactServerMessage(error?.message ?? ""),
    };
  },
  PhaseEvent: (bytes) => ({ kind: "phase", ...protocol.machine.PhaseEvent.deserialize(bytes) }),
  TaskEvent: (bytes) => ({ kind: "task", ...protocol.machine.TaskEvent.deserialize(bytes) }),
  MachineStatusEvent: (bytes) => {
    const { stage, status } = protocol.machine.MachineStatusEvent.deserialize(bytes);
    const { ready = false, unmetConditions = [] } = status ?? {};
    return { kind: "machineStatus", stage: stage.toLowerCase(), ready, unmetConditions };
  },
  AddressEvent: (bytes) => ({
    kind: "address",
    ...protocol.machine.AddressEvent.deserialize(bytes),
  }),
  RestartEvent: () => ({ kind: "restart" }),
  ConfigLoadErrorEvent: (bytes) => {
    const { error } = protocol.machine.ConfigLoadErrorEvent.deserialize(bytes);
    return { kind: "configLoadError", error: redactServerMessage(error) };
  },
  ConfigValidationErrorEvent: (bytes) => {
    const { error } = protocol.machine.ConfigValidationErrorEvent.deserialize(bytes);
    return { kind: "configValidationError", error: redactServerMessage(error) };
  },
};

/**
 * The event of a message; undefined for the first message of a stream, which only says that the
 * stream is ready.
 */
export function readMachineEvent({ id, actorId, data }: Event__Output): MachineEvent[] {
  if (!data || data.type_url === "") {
    return [];
  }
  return [{ id, actorId, payload: readPayload(data) }];
}

function readPayload({ type_url: type, value }: Any__Output): MachineEventPayload {
  const name = type.slice(type.lastIndexOf(".") + 1);
  return readers[name]?.(value) ?? { kind: "other", type };
}
