import type { CallOptions } from "./callOptions";
import { interruptible } from "./interruptible";
import type { CallPlan, Method, NodeCaller, StreamLimits } from "./nodeCaller";
import type { NodeCalls, NodeMessage, StreamReader } from "./nodeCalls";
import { TalosApiError } from "./talosApiError";

/** Calls to one node. An error in a message is thrown like an error of the call. */
export class OneNode implements NodeCalls<"one"> {
  constructor(
    private readonly caller: NodeCaller,
    private readonly node: string,
  ) {}

  async ask<Request, Message extends NodeMessage, Value>(
    method: Method<Request, { readonly messages: Message[] }>,
    request: NoInfer<Request>,
    read: (message: Message) => Value,
    call: CallOptions | undefined,
  ): Promise<Value> {
    const plan = this.plan(method, call);
    const { messages } = await this.caller.unary(plan, request);
    return this.read(plan, messages, ([message]) => {
      if (!message) {
        throw new Error("the reply is empty");
      }
      return read(message);
    });
  }

  async gather<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    read: (messages: Message[]) => Value,
    call: CallOptions | undefined,
  ): Promise<Value> {
    const plan = this.plan(method, call);
    return this.read(plan, await this.caller.collect(plan, request), read);
  }

  follow<Request, Message extends NodeMessage, Value>(
    method: Method<Request, Message>,
    request: NoInfer<Request>,
    createReader: () => StreamReader<Message, Value>,
    call: CallOptions | undefined,
    limits?: StreamLimits,
  ): AsyncIterable<Value> {
    const plan = this.plan(method, call);
    return interruptible((stopped) =>
      this.readStream(
        plan,
        createReader(),
        this.caller.stream(plan, request, { ...limits, stopped }),
      ),
    );
  }

  /** Calls a method with a stream of requests, which apid forwards only to a single node. */
  async upload<Request>(
    method: Method<Request, { readonly messages: NodeMessage[] }>,
    requests: AsyncIterable<NoInfer<Request>>,
    call: CallOptions | undefined,
  ): Promise<void> {
    const plan = this.plan(method, call);
    const { messages } = await this.caller.upload(plan, requests);
    this.read(plan, messages, () => undefined);
  }

  private async *readStream<Message extends NodeMessage, Value>(
    plan: CallPlan<never, unknown>,
    reader: StreamReader<Message, Value>,
    messages: AsyncIterable<Message>,
  ): AsyncGenerator<Value, void> {
    for await (const message of messages) {
      yield* this.read(plan, [message], () => reader(message));
    }
    yield* this.read(plan, [], () => reader(undefined));
  }

  private read<Message extends NodeMessage, Value>(
    plan: CallPlan<never, unknown>,
    messages: Message[],
    read: (messages: Message[]) => Value,
  ): Value {
    const context = this.caller.context(plan);
    for (const { metadata } of messages) {
      const error = TalosApiError.fromMessage(metadata, context);
      if (error) {
        throw error;
      }
    }
    try {
      return read(messages);
    } catch (error) {
      throw TalosApiError.unreadable(error, context);
    }
  }

  private plan<Request, Reply>(
    method: Method<Request, Reply>,
    call: CallOptions | undefined,
  ): CallPlan<Request, Reply> {
    return { target: { node: this.node }, method, call };
  }
}
