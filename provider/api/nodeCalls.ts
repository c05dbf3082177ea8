import type { CallOptions } from "./callOptions";
import type { Metadata__Output as MessageMetadata } from "./gen/common/Metadata";
import type { Method } from "./nodeCaller";
import type { TalosApiError } from "./talosApiError";

/**
 * A message of a node's reply. In calls to several nodes, its metadata names the node and contains
 * its error.
 */
export interface NodeMessage {
  readonly metadata: MessageMetadata | null;
}

/** The result of a call: one node's value, or a result for each of several in the given order. */
export interface Answer<Value> {
  readonly one: Value;
  readonly many: readonly NodeResult<Value>[];
}

/** An item of a stream: a value of one node, or of one of several as it arrives. */
export interface Item<Value> {
  readonly one: Value;
  readonly many: NodeResult<Value>;
}

/** Whether calls go to one node or to several. */
export type Reach = keyof Answer<unknown>;

/**
 * Converts a stream's messages to values. It is called once more without a message at the end, for
 * the rest.
 */
export type StreamReader<Message, Value> = (message: Message | undefined) => readonly Value[];

/**
 * How methods of Talos are called, for one node and for several. The lists of calls are written
 * once with these.
 */
export interface NodeCalls<R extends Reach> {
  /** Calls a method whose reply is a list with one message per node. */
  ask<Request, Message extends NodeMessage, Value>(
    method: Method<Request, { readonly messages: Message[] }>,
    request: NoInfer<Request>,
    read: (message: Message) => Value,
    call: CallOptions | undefined,
  ): Promise<Answer<Value>[R]>;

  /** Calls a method whose reply is a finite stream, and reads each node's messages as a whole. */
  gather<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    read: (messages: Message[]) => Value,
    call: CallOptions | undefined,
  ): Promise<Answer<Value>[R]>;

  /**
   * Calls a method whose reply is a stream, once it is read. Every node's messages have their own
   * reader. With `silenceMs` the stream fails if no message arrives for that time.
   */
  follow<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    createReader: () => StreamReader<Message, Value>,
    call: CallOptions | undefined,
    limits?: { readonly silenceMs?: number },
  ): AsyncIterable<Item<Value>[R]>;
}

/** The answer of one of several nodes: a value, or its own error. */
export type NodeResult<Value> =
  | { readonly node: string; readonly value: Value; readonly error?: undefined }
  | { readonly node: string; readonly value?: undefined; readonly error: TalosApiError };
