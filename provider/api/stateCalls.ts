import type { CallOptions } from "./callOptions";
import { toCosiResource, type CosiResource, type ResourceRef } from "./cosiResource";
import type { LabelTerm } from "./gen/cosi/resource/LabelTerm";
import { interruptible } from "./interruptible";
import type { CallPlan, Method, NodeCaller } from "./nodeCaller";
import { protocol } from "./protocol";
import { TalosApiError } from "./talosApiError";
import { readTypedResource, type ResourceKind, type TypedResource } from "./typedResource";
import { readWatchEvent, type WatchEvent } from "./watchEvent";

/** The resources to list or watch: one type in one namespace. */
export interface ResourceQuery extends Omit<ResourceRef, "id"> {
  /** Only resources with all of these labels and values. */
  labels?: Readonly<Record<string, string>>;
}

/** The resources to watch. */
export interface ResourceWatch extends ResourceQuery {
  /** Only the resource with this id. The first event is its current state. */
  id?: string;
}

/**
 * Calls for Talos' internal state (COSI), in which a node reports its state and its work. They also
 * work in maintenance mode, except for secrets. Each goes to a single node, because apid requires
 * that.
 */
export function stateCalls(caller: NodeCaller, node: string) {
  const state = protocol.cosi.resource.State.service;
  const plan = <Request, Reply>(
    method: Method<Request, Reply>,
    call: CallOptions | undefined,
  ): CallPlan<Request, Reply> => ({ target: { node }, method, call });

  const get = async <Value>(
    { namespace, type, id }: ResourceRef,
    read: (resource: CosiResource) => Value,
    call: CallOptions | undefined,
  ): Promise<Value> => {
    const asked = plan(state.Get, call);
    const { resource } = await caller.unary(asked, { namespace, type, id, options: {} });
    return attempt(asked, () => {
      if (!resource) {
        throw new Error("the reply is empty");
      }
      return read(toCosiResource(resource));
    });
  };

  const list = async <Value>(
    query: ResourceQuery,
    read: (resource: CosiResource) => Value,
    call: CallOptions | undefined,
  ): Promise<Value[]> => {
    const { namespace, type } = query;
    const asked = plan(state.List, call);
    const options = { labelQuery: toLabelQuery(query) };
    const replies = await caller.collect(asked, { namespace, type, options });
    return attempt(asked, () =>
      replies.flatMap(({ resource }) => (resource ? [read(toCosiResource(resource))] : [])),
    );
  };

  const watch = <Value>(
    query: ResourceWatch,
    read: (resource: CosiResource) => Value,
    call: CallOptions | undefined,
  ): AsyncIterable<WatchEvent<Value>> => {
    const { namespace, type, id } = query;
    const asked = plan(state.Watch, call);
    // A watch of one resource has no such option and begins with its current state (Talos v1.12.1).
    const bootstrapContents = id === undefined;
    const request = {
      ...{ namespace, type, ...(id === undefined ? {} : { id }), apiVersion: 1 },
      options: { bootstrapContents, labelQuery: toLabelQuery(query) },
    };
    return interruptible(async function* (stopped) {
      for await (const { event } of caller.stream(asked, request, { stopped })) {
        yield* attempt(asked, () => event.flatMap((each) => readWatchEvent(each, read)));
      }
    });
  };

  const attempt = <Value>(asked: CallPlan<never, unknown>, read: () => Value): Value => {
    try {
      return read();
    } catch (error) {
      throw TalosApiError.unreadable(error, caller.context(asked));
    }
  };

  return {
    /** One resource. `notFound` if none has that id. */
    getResource: (ref: ResourceRef, call?: CallOptions) => get(ref, asItIs, call),

    /** All resources of a type in a namespace; empty without any. */
    listResources: (query: ResourceQuery, call?: CallOptions) => list(query, asItIs, call),

    /**
     * The existing resources, then each change, as long as it is read. The stream ends with an
     * error when the connection does, for example when the node restarts.
     */
    watchResources: (query: ResourceWatch, call?: CallOptions) => watch(query, asItIs, call),

    /** One resource of a known type, for example `talosResources.machineStatus`. */
    getTyped: <Spec>(
      kind: ResourceKind<Spec> & { readonly id: string },
      call?: CallOptions,
    ): Promise<TypedResource<Spec>> =>
      get(kind, (resource) => readTypedResource(kind, resource), call),

    /** All resources of a known type. */
    listTyped: <Spec>(
      kind: ResourceKind<Spec>,
      call?: CallOptions,
    ): Promise<TypedResource<Spec>[]> =>
      list(kind, (resource) => readTypedResource(kind, resource), call),

    /** Like `watchResources`, for a known type. Watches a single resource if the kind has an id. */
    watchTyped: <Spec>(
      kind: ResourceKind<Spec>,
      call?: CallOptions,
    ): AsyncIterable<WatchEvent<TypedResource<Spec>>> =>
      watch(kind, (resource) => readTypedResource(kind, resource), call),
  };
}

function asItIs(resource: CosiResource): CosiResource {
  return resource;
}

function toLabelQuery({ labels = {} }: ResourceQuery): { terms: LabelTerm[] }[] {
  const terms = Object.entries(labels).map(([key, value]): LabelTerm => {
    return { key, op: "EQUAL", value: [value] };
  });
  return terms.length === 0 ? [] : [{ terms }];
}
