import type { CallOptions } from "./callOptions";
import { toCosiResource, type CosiResource, type ResourceRef } from "./cosiResource";
import type { LabelTerm } from "./gen/cosi/resource/LabelTerm";
import type { CallPlan, Method, NodeCaller } from "./nodeCaller";
import { protocol } from "./protocol";
import { TalosApiError } from "./talosApiError";
import { readTypedResource, type ResourceKind, type TypedResource } from "./typedResource";

/** The resources to list: one type in one namespace. */
export interface ResourceQuery extends Omit<ResourceRef, "id"> {
  /** Only resources with all of these labels and values. */
  labels?: Readonly<Record<string, string>>;
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
