import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { Event } from "../../../provider/api/gen/cosi/resource/Event";
import type { WatchRequest__Output } from "../../../provider/api/gen/cosi/resource/WatchRequest";
import type { WatchResponse } from "../../../provider/api/gen/cosi/resource/WatchResponse";
import { requireReadable, writeRefusal } from "../cosi/accessPolicy";
import { selects } from "../cosi/query";
import { resourceMessage, tombstoneMessage } from "../cosi/resource";
import type { ResourceEvent, ResourceStore } from "../cosi/resourceStore";
import { type CallContext, type Method, serverStream, unary } from "../rpc/method";
import { Queue } from "../rpc/queue";
import { RpcError } from "../rpc/rpcError";

const { service } = protocol.cosi.resource.State;

/** `cosi.resource.State`: read access to the node's resources. */
export function stateMethods(store: ResourceStore): Method[] {
  return [
    unary(service.Get, ({ namespace, type, id }, { roles }) => {
      requireReadable(namespace, type, roles);
      const resource = store.get(namespace, type, id);
      if (!resource) {
        throw new RpcError(
          status.NOT_FOUND,
          `resource ${type}(${namespace}/${id}@undefined) doesn't exist`,
        );
      }
      return { resource: resourceMessage(resource) };
    }),
    serverStream(service.List, async function* ({ namespace, type, options }, { roles }) {
      requireReadable(namespace, type, roles);
      const selected = options ? selects(options) : () => true;
      for (const resource of store.list(namespace, type).filter(selected)) {
        yield await Promise.resolve({ resource: resourceMessage(resource) });
      }
    }),
    serverStream(service.Watch, (request, context) => watch(store, request, context)),
    unary(service.Create, () => {
      throw writeRefusal();
    }),
    unary(service.Update, () => {
      throw writeRefusal();
    }),
    unary(service.Destroy, () => {
      throw writeRefusal();
    }),
  ];
}

async function* watch(
  store: ResourceStore,
  request: WatchRequest__Output,
  { roles, signal }: CallContext,
): AsyncIterable<WatchResponse> {
  const { namespace, type, options } = request;
  const id = request._id === "id" ? request.id : undefined;
  requireReadable(namespace, type, roles);
  if (!options) {
    throw new RpcError(
      status.INTERNAL,
      "runtime error: invalid memory address or nil pointer dereference",
    );
  }
  if (id !== undefined && options.bootstrapContents) {
    throw new RpcError(
      status.UNIMPLEMENTED,
      "bootstrap contents is not implemented for resource watch",
    );
  }
  const selected = selects(options);
  const queue = new Queue<Event>();
  const end = store.watch(namespace, type, (event) => {
    if (id === undefined ? selected(event.resource) : event.resource.id === id) {
      queue.push(eventMessage(event));
    }
  });
  try {
    // The empty message tells the client that the watch is set up.
    yield {};
    if (id !== undefined) {
      yield { event: [currentState(store, namespace, type, id)] };
    } else if (options.bootstrapContents) {
      for (const resource of store.list(namespace, type).filter(selected)) {
        yield { event: [{ eventType: "CREATED", resource: resourceMessage(resource) }] };
      }
      if (request.apiVersion >= 1) {
        yield { event: [{ eventType: "BOOTSTRAPPED" }] };
      }
    }
    for await (const event of queue.drain(signal)) {
      yield { event: [event] };
    }
  } finally {
    end();
  }
}

function currentState(store: ResourceStore, namespace: string, type: string, id: string): Event {
  const resource = store.get(namespace, type, id);
  return resource
    ? { eventType: "CREATED", resource: resourceMessage(resource) }
    : { eventType: "DESTROYED", resource: tombstoneMessage(namespace, type, id) };
}

function eventMessage({ type, resource, old }: ResourceEvent): Event {
  return {
    eventType: type,
    resource: resourceMessage(resource),
    ...(old ? { old: resourceMessage(old) } : {}),
  };
}
