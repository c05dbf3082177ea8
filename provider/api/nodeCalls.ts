import type { CallOptions } from "./callOptions";
import type { Metadata__Output as MessageMetadata } from "./gen/common/Metadata";
import type { Method } from "./nodeCaller";
import type { NodeResult } from "./nodeResult";

/** A message of a node's reply. The metadata says which of several nodes it is from, and holds its error. */
export interface NodeMessage {
  readonly metadata: MessageMetadata | null;
}

/** What a call comes to: one node's value, or a result for each of several, in the order in which they were asked. */
export interface Answer<Value> {
  readonly one: Value;
  readonly many: readonly NodeResult<Value>[];
}

/** What a stream is made of: values of one node, or of several as they arrive. */
export interface Item<Value> {
  readonly one: Value;
  readonly many: NodeResult<Value>;
}

/** Whether calls go to one node or to several. */
export type Reach = keyof Answer<unknown>;

/** Makes values of a stream's messages, and once more, without a message, of what is left at its end. */
export type StreamReader<Message, Value> = (message: Message | undefined) => readonly Value[];

/**
 * The ways to call methods of Talos that exist for one node and for several. What can be called is
 * said once, in terms of these, for both.
 */
export interface NodeCalls<R extends Reach> {
  /** Calls a method whose reply is a list of messages, one for each node. */
  ask<Request, Message extends NodeMessage, Value>(
    method: Method<Request, { readonly messages: Message[] }>,
    request: NoInfer<Request>,
    read: (message: Message) => Value,
    call: CallOptions | undefined,
  ): Promise<Answer<Value>[R]>;

  /** Calls a method whose reply is a stream that ends, and reads a node's messages together. */
  gather<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    read: (messages: Message[]) => Value,
    call: CallOptions | undefined,
  ): Promise<Answer<Value>[R]>;

  /**
   * Calls a method whose reply is a stream, when that is read; every node's messages have a reader
   * of their own. With `silenceMs` the stream fails when no message has come for so long.
   */
  follow<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    createReader: () => StreamReader<Message, Value>,
    call: CallOptions | undefined,
    limits?: { readonly silenceMs?: number },
  ): AsyncIterable<Item<Value>[R]>;
}
