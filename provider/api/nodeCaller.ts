import { Metadata } from "@grpc/grpc-js";
import type { Endpoint } from "./endpoint";
import { grpcStatusName } from "./grpcStatus";
import { NodeChannel } from "./nodeChannel";
import type { NodeCredentials } from "./nodeCredentials";
import { TalosApiError, type CallContext } from "./talosApiError";

/** How one call is to be made. */
export interface CallOptions {
  /** Default: 15 s. When it has passed the call fails, whatever the node does. */
  timeoutMs?: number;
  /** Gives the call up; it then fails with code `cancelled`. */
  signal?: AbortSignal;
}

/** Deadline of a call for which the caller gave none. */
export const defaultTimeoutMs = 15_000;

/** What of a method's definition in `protocol` a client needs. */
export interface Method<Request, Reply> {
  /** Such as `/machine.MachineService/Version`. */
  readonly path: string;
  readonly requestSerialize: (request: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Reply;
}

interface Cancellable {
  cancel(): void;
}

interface CallSetup {
  readonly channel: NodeChannel;
  readonly metadata: Metadata;
  readonly options: { deadline: number };
  /** To be told of the call as soon as it has begun, so that it can be cancelled. */
  readonly begun: (call: Cancellable) => void;
}

/**
 * Makes calls to one node: with a deadline, cancellable, every failure a `TalosApiError`.
 *
 * It keeps one channel. After a failure of the connection the next call gets a new one: grpc-js
 * would wait longer and longer between its attempts and meanwhile repeat the old failure, while
 * whoever calls again wants to know how the node is now.
 */
export class NodeCaller {
  private channel: NodeChannel | undefined;
  private readonly running = new Set<Cancellable>();
  private isClosed = false;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly forwardTo: string | undefined,
    private readonly createCredentials: () => NodeCredentials,
  ) {}

  /** What an error about a call of this method says of it. */
  context(method: { path: string }, call: CallOptions | undefined): CallContext {
    return {
      node: this.forwardTo ?? this.endpoint.host,
      endpoint: this.endpoint.address,
      isForwarded: this.forwardTo !== undefined,
      method: method.path.replace(/^\//, ""),
      timeoutMs: call?.timeoutMs ?? defaultTimeoutMs,
    };
  }

  /** Makes a call that has one reply. */
  unary<Request, Reply>(
    method: Method<Request, Reply>,
    request: NoInfer<Request>,
    call: CallOptions | undefined,
  ): Promise<Reply> {
    return this.run(method, call, ({ channel, metadata, options, begun }) => {
      const { path, requestSerialize, responseDeserialize } = method;
      return new Promise<Reply>((resolve, reject) => {
        const running = channel.client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          metadata,
          options,
          (error, reply) => {
            if (error) reject(error);
            else if (reply === undefined) reject(new Error("the reply is empty"));
            else resolve(reply);
          },
        );
        begun(running);
      });
    });
  }

  /** Makes a call that has a stream of replies, and collects them. */
  collect<Request, Reply>(
    method: Method<Request, Reply>,
    request: NoInfer<Request>,
    call: CallOptions | undefined,
  ): Promise<Reply[]> {
    return this.run(method, call, async ({ channel, metadata, options, begun }) => {
      const { path, requestSerialize, responseDeserialize } = method;
      const stream = channel.client.makeServerStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        options,
      );
      begun(stream);
      const replies: Reply[] = [];
      for await (const reply of stream as AsyncIterable<Reply>) replies.push(reply);
      return replies;
    });
  }

  /** Cancels what runs and closes the connection. */
  close(): void {
    this.isClosed = true;
    for (const call of this.running) call.cancel();
    this.channel?.retire();
    this.channel = undefined;
  }

  private async run<Result>(
    method: { path: string },
    call: CallOptions | undefined,
    start: (setup: CallSetup) => Promise<Result>,
  ): Promise<Result> {
    const { timeoutMs = defaultTimeoutMs, signal } = call ?? {};
    if (this.isClosed || signal?.aborted) {
      throw TalosApiError.cancelled(this.context(method, call));
    }
    this.channel ??= new NodeChannel(this.endpoint, this.createCredentials());
    const channel = this.channel;
    const leave = channel.enter();
    let running: Cancellable | undefined;
    const cancel = () => running?.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await start({
        channel,
        metadata: this.createMetadata(),
        options: { deadline: Date.now() + timeoutMs },
        begun: (begunCall) => {
          running = begunCall;
          this.running.add(begunCall);
        },
      });
    } catch (error) {
      const context = { ...this.context(method, call), watch: channel.watch };
      const failure = TalosApiError.from(error, context);
      if (isOfConnection(failure, channel)) this.drop(channel);
      throw failure;
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (running) this.running.delete(running);
      leave();
    }
  }

  private createMetadata(): Metadata {
    const metadata = new Metadata();
    // Of apid's two headers `node` leaves reply and status as they are; `nodes` hides failures in messages.
    if (this.forwardTo !== undefined) metadata.set("node", this.forwardTo);
    return metadata;
  }

  private drop(channel: NodeChannel): void {
    if (this.channel === channel) this.channel = undefined;
    channel.retire();
  }
}

function isOfConnection({ grpcCode }: TalosApiError, { watch }: NodeChannel): boolean {
  return grpcStatusName(grpcCode) === "UNAVAILABLE" || watch.stage !== "established";
}
