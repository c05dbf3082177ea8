import type { CallOptions } from "./callOptions";
import { interruptible } from "./interruptible";
import type { CallPlan, Method, NodeCaller, StreamLimits } from "./nodeCaller";
import type { NodeCalls, NodeMessage, NodeResult, StreamReader } from "./nodeCalls";
import { TalosApiError } from "./talosApiError";

/**
 * Calls to several nodes at once, which a control plane node forwards. It answers in the order in
 * which the nodes do, and with success even if no node does (Talos v1.12.1). Here the results are
 * in the order of the given nodes, with each node's own error. Only a call that does not reach an
 * endpoint, or that the endpoint refuses as a whole, throws.
 */
export class ManyNodes implements NodeCalls<"many"> {
  /** `nodes` must not contain a name twice. */
  constructor(
    private readonly caller: NodeCaller,
    private readonly nodes: readonly string[],
  ) {}

  async ask<Request, Message extends NodeMessage, Value>(
    method: Method<Request, { readonly messages: Message[] }>,
    request: NoInfer<Request>,
    read: (message: Message) => Value,
    call: CallOptions | undefined,
  ): Promise<NodeResult<Value>[]> {
    const plan = this.plan(method, call);
    const { messages } = await this.caller.unary(plan, request);
    return this.inOrder(plan, messages, ([message]) => {
      if (!message) {
        throw new Error("the endpoint's reply contains no message of this node");
      }
      return read(message);
    });
  }

  async gather<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    read: (messages: Message[]) => Value,
    call: CallOptions | undefined,
  ): Promise<NodeResult<Value>[]> {
    const plan = this.plan(method, call);
    return this.inOrder(plan, await this.caller.collect(plan, request), read);
  }

  follow<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    createReader: () => StreamReader<Message, Value>,
    call: CallOptions | undefined,
    limits?: StreamLimits,
  ): AsyncIterable<NodeResult<Value>> {
    const plan = this.plan(method, call);
    return interruptible((stopped) =>
      this.read(plan, createReader, this.caller.stream(plan, request, { ...limits, stopped })),
    );
  }

  private async *read<Message extends NodeMessage, Value>(
    plan: CallPlan<never, unknown>,
    createReader: () => StreamReader<Message, Value>,
    messages: AsyncIterable<Message>,
  ): AsyncGenerator<NodeResult<Value>, void> {
    const readers = new Map<string, StreamReader<Message, Value>>();
    for await (const message of messages) {
      const node = this.authorOf(plan, message);
      const reader = readers.get(node) ?? createReader();
      readers.set(node, reader);
      const { error, value } = this.resultOf(plan, node, [message], () => reader(message));
      if (error) {
        readers.delete(node);
        yield { node, error };
      } else {
        for (const each of value) {
          yield { node, value: each };
        }
      }
    }
    for (const [node, reader] of readers) {
      for (const value of reader(undefined)) {
        yield { node, value };
      }
    }
  }

  private inOrder<Message extends NodeMessage, Value>(
    plan: CallPlan<never, unknown>,
    messages: readonly Message[],
    read: (own: Message[]) => Value,
  ): NodeResult<Value>[] {
    const byNode = new Map<string, Message[]>(this.nodes.map((node) => [node, []]));
    for (const message of messages) {
      byNode.get(this.authorOf(plan, message))?.push(message);
    }
    return [...byNode].map(([node, own]) => this.resultOf(plan, node, own, () => read(own)));
  }

  /** The node that wrote a message. An endpoint that is the only node may leave its name out. */
  private authorOf(plan: CallPlan<never, unknown>, { metadata }: NodeMessage): string {
    if (metadata && metadata.hostname !== "") {
      return metadata.hostname;
    }
    const [only, ...others] = this.nodes;
    if (only !== undefined && others.length === 0) {
      return only;
    }
    const reason = new Error("a message does not say which node it is from");
    throw TalosApiError.unreadable(reason, this.caller.context(plan));
  }

  private resultOf<Value>(
    plan: CallPlan<never, unknown>,
    node: string,
    messages: readonly NodeMessage[],
    read: () => Value,
  ): NodeResult<Value> {
    const context = { ...this.caller.context(plan), node };
    for (const { metadata } of messages) {
      const error = TalosApiError.fromMessage(metadata, context);
      if (error) {
        return { node, error };
      }
    }
    try {
      return { node, value: read() };
    } catch (error) {
      return { node, error: TalosApiError.unreadable(error, context) };
    }
  }

  private plan<Request, Reply>(
    method: Method<Request, Reply>,
    call: CallOptions | undefined,
  ): CallPlan<Request, Reply> {
    return { target: { nodes: this.nodes }, method, call };
  }
}
