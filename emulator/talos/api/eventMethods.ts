import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { Event } from "../../../provider/api/gen/machine/Event";
import type { EventsRequest__Output } from "../../../provider/api/gen/machine/EventsRequest";
import { serverStream, type Method } from "../rpc/method";
import { Queue } from "../rpc/queue";
import { RpcError } from "../rpc/rpcError";
import { EventIds, isEventId } from "../runtime/eventId";
import type { EventStart } from "../runtime/eventLog";
import { eventMessage } from "../runtime/machineEvent";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Events: past and new events since the machine's kernel started. */
export function eventMethods({ state }: MethodContext): Method[] {
  const { events } = state.uptime;
  const ids = new EventIds();
  return [
    serverStream(service.Events, async function* (request, { signal }) {
      const { withActorId } = request;
      // Tells the client that the stream is set up.
      yield {
        data: { type_url: "", value: Buffer.alloc(0) },
        id: ids.next(new Date()),
        actorId: withActorId,
      };
      const queue = new Queue<Event>();
      const start = startOf(request);
      const end = events.subscribe((event) => queue.push(eventMessage(event)));
      const isWanted = ({ actorId }: Event) => withActorId === "" || actorId === withActorId;
      try {
        yield* events.history(start).map(eventMessage).filter(isWanted);
        for await (const message of queue.drain(signal)) {
          if (isWanted(message)) {
            yield message;
          }
        }
      } finally {
        end();
      }
    }),
  ];
}

/** Throws `UNKNOWN` with Talos' message if several starts are given. */
function startOf({ tailEvents, tailId, tailSeconds }: EventsRequest__Output): EventStart {
  if (tailId !== "" && !isEventId(tailId)) {
    throw new RpcError(status.UNKNOWN, "error parsing tail_id: xid: invalid ID");
  }
  if (tailId !== "" && tailEvents !== 0) {
    throw new RpcError(
      status.UNKNOWN,
      "WithTailID can't be specified at the same time with WithTailEvents or WithTailDuration",
    );
  }
  if (tailSeconds !== 0 && (tailEvents !== 0 || tailId !== "")) {
    throw new RpcError(
      status.UNKNOWN,
      "WithTailDuration can't be specified at the same time with WithTailEvents or WithTailID",
    );
  }
  return {
    tailEvents,
    ...(tailId === "" ? {} : { afterId: tailId }),
    ...(tailSeconds === 0 ? {} : { since: new Date(Date.now() - tailSeconds * 1000) }),
  };
}
