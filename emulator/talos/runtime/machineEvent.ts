import { protocol } from "../../../provider/api";
import type { AddressEvent } from "../../../provider/api/gen/machine/AddressEvent";
import type { Event } from "../../../provider/api/gen/machine/Event";
import type { MachineStatusEvent } from "../../../provider/api/gen/machine/MachineStatusEvent";
import type { PhaseEvent } from "../../../provider/api/gen/machine/PhaseEvent";
import type { RestartEvent } from "../../../provider/api/gen/machine/RestartEvent";
import type { SequenceEvent } from "../../../provider/api/gen/machine/SequenceEvent";
import type { ServiceStateEvent } from "../../../provider/api/gen/machine/ServiceStateEvent";
import type { TaskEvent } from "../../../provider/api/gen/machine/TaskEvent";

/** The payload of an event, by the name of its message. */
export type EventBody =
  | { readonly name: "AddressEvent"; readonly value: AddressEvent }
  | { readonly name: "MachineStatusEvent"; readonly value: MachineStatusEvent }
  | { readonly name: "PhaseEvent"; readonly value: PhaseEvent }
  | { readonly name: "RestartEvent"; readonly value: RestartEvent }
  | { readonly name: "SequenceEvent"; readonly value: SequenceEvent }
  | { readonly name: "ServiceStateEvent"; readonly value: ServiceStateEvent }
  | { readonly name: "TaskEvent"; readonly value: TaskEvent };

/** An event of a machine. */
export interface MachineEvent {
  readonly id: string;
  readonly at: Date;
  readonly body: EventBody;
  /** The id of the call that caused it; empty without one. */
  readonly actorId: string;
}

const { machine } = protocol;

/**
 * An event in the API's form; its type is under `talos/runtime/` (talos v1.12.1,
 * `runtime.NewEvent`).
 */
export function eventMessage({ id, body, actorId }: MachineEvent): Event {
  return {
    data: { type_url: `talos/runtime/machine.${body.name}`, value: serialize(body) },
    id,
    actorId,
  };
}

function serialize(body: EventBody): Buffer {
  switch (body.name) {
    case "AddressEvent":
      return machine.AddressEvent.serialize(body.value);
    case "MachineStatusEvent":
      return machine.MachineStatusEvent.serialize(body.value);
    case "PhaseEvent":
      return machine.PhaseEvent.serialize(body.value);
    case "RestartEvent":
      return machine.RestartEvent.serialize(body.value);
    case "SequenceEvent":
      return machine.SequenceEvent.serialize(body.value);
    case "ServiceStateEvent":
      return machine.ServiceStateEvent.serialize(body.value);
    case "TaskEvent":
      return machine.TaskEvent.serialize(body.value);
  }
}
