import { once } from "node:events";
import { Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { printableValue } from "../base/printable";
import { type CallOptions, Cancellation, defaultTimeoutMs } from "./callOptions";
import type { ChannelUse } from "./connectionPool";
import type { Endpoint } from "./endpoint";
import { EndpointDialer, type EndpointDialerOptions } from "./endpointDialer";
import { TalosApiError, type CallContext } from "./talosApiError";

/** The parts of a method's definition in `protocol` that a client needs. */
export interface Method<Request, Reply> {
  /** For example `/machine.MachineService/Version`. */
  readonly path: string;
  readonly requestSerialize: (request: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Reply;
}

/**
 * The most that the replies of one call may have together, where they are kept in memory. A kubeconfig, a file or a log that
 * this package reads has a few megabytes; snapshots of etcd are streamed.
 */
const MAX_COLLECTED_BYTES = 64 * 1024 * 1024;

/** The target of a call: one node, or several with at least one message each. */
export type CallTarget = { readonly node: string } | { readonly nodes: readonly string[] };

/** One call of a method. */
export interface CallPlan<Request, Reply> {
  readonly target: CallTarget;
  readonly method: Method<Request, Reply>;
  readonly call: CallOptions | undefined;
}

/** What ends a stream, besides the deadline of its call. */
export interface StreamLimits {
  /** The longest wait for a reply. Default: none. */
  readonly silenceMs?: number;
  /** Cancels the call, like the signal of its options. */
  readonly stopped?: AbortSignal;
}

/** A running call, on an open connection. */
interface RunningCall {
  readonly use: ChannelUse;
  readonly metadata: Metadata;
  readonly options: { readonly deadline: number };
  readonly cancellation: Cancellation;
  /**
   * Converts a failure of the call to a `TalosApiError`. `timeoutMs` is the limit that has passed,
   * if it is not the call's.
   */
  readonly failure: (error: unknown, timeoutMs?: number) => TalosApiError;
  /** Must be called once. */
  readonly end: () => void;
}

/**
 * Makes calls through the endpoints of a cluster. Each call has a deadline and can be cancelled,
 * and every failure is a `TalosApiError`. A call is sent once; its caller decides about a retry.
 */
export class NodeCaller {
  private readonly dialer: EndpointDialer;
  private readonly running = new Set<Cancellation>();
  private isClosed = false;

  constructor(private readonly options: EndpointDialerOptions) {
    this.dialer = new EndpointDialer(options);
  }

  /** The context of a call for its errors. */
  context(
    { target, method, call }: CallPlan<never, unknown>,
    endpoint: Endpoint = this.dialer.preferred,
  ): CallContext {
    const node = "node" in target ? target.node : target.nodes.join(", ");
    return {
      node,
      endpoint: endpoint.address,
      isForwarded: node !== endpoint.host,
      inMaintenance: this.options.identity.expected === "maintenanceNode",
      method: method.path.replace(/^\//, ""),
      timeoutMs: call?.timeoutMs ?? defaultTimeoutMs,
    };
  }

  /** Makes a call that has one reply. */
  async unary<Request, Reply>(
    plan: CallPlan<Request, Reply>,
    request: NoInfer<Request>,
  ): Promise<Reply> {
    const { path, requestSerialize } = plan.method;
    const running = await this.begin(plan, defaultTimeoutMs);
    try {
      return await new Promise<Reply>((resolve, reject) => {
        const call = running.use.channel.client.makeUnaryRequest(
          path,
          requestSerialize,
          reader(plan.method),
          request,
          running.metadata,
          running.options,
          settle(resolve, reject),
        );
        running.cancellation.listen(() => call.cancel());
      });
    } catch (error) {
      throw running.failure(error);
    } finally {
      running.end();
    }
  }

  /**
   * Makes a call with a stream of replies, once they are read. The node sends only as fast as the
   * reader reads. If the reader stops, the call ends.
   */
  async *stream<Request, Reply>(
    plan: CallPlan<Request, Reply>,
    request: NoInfer<Request>,
    { silenceMs = Infinity, stopped }: StreamLimits = {},
  ): AsyncGenerator<Reply, void> {
    const { path, requestSerialize } = plan.method;
    const running = await this.begin(plan, Infinity, stopped);
    const stream = running.use.channel.client.makeServerStreamRequest(
      path,
      requestSerialize,
      reader(plan.method),
      request,
      running.metadata,
      running.options,
    );
    // The status of a cancelled call arrives after its reader has stopped.
    stream.on("error", () => undefined);
    running.cancellation.listen(() => stream.cancel());
    try {
      const items = (stream as AsyncIterable<Reply>)[Symbol.asyncIterator]();
      for (;;) {
        const item = await unlessSilent(items.next(), silenceMs);
        if (item.done) {
          return;
        }
        yield item.value;
      }
    } catch (error) {
      throw error instanceof Silence ? running.failure(error, silenceMs) : running.failure(error);
    } finally {
      stream.cancel();
      running.end();
    }
  }

  /**
   * Makes a call that has a stream of replies, and collects them.
   *
   * @throws TalosApiError also if they are longer than anything that a machine has to say
   */
  async collect<Request, Reply>(
    plan: CallPlan<Request, Reply>,
    request: NoInfer<Request>,
  ): Promise<Reply[]> {
    const call = { timeoutMs: defaultTimeoutMs, ...plan.call };
    const { responseDeserialize } = plan.method;
    let collectedBytes = 0;
    const counted: Method<Request, Reply> = {
      ...plan.method,
      responseDeserialize: (bytes) => {
        collectedBytes += bytes.length;
        return responseDeserialize(bytes);
      },
    };
    const replies: Reply[] = [];
    for await (const reply of this.stream({ ...plan, call, method: counted }, request)) {
      if (collectedBytes > MAX_COLLECTED_BYTES) {
        const tooMuch = `the reply has more than ${MAX_COLLECTED_BYTES / 1024 / 1024} MiB`;
        throw TalosApiError.unreadable(new Error(tooMuch), this.context(plan));
      }
      replies.push(reply);
    }
    return replies;
  }

  /** Makes a call with a stream of requests. Errors of their source are thrown unchanged. */
  async upload<Request, Reply>(
    plan: CallPlan<Request, Reply>,
    requests: AsyncIterable<NoInfer<Request>>,
  ): Promise<Reply> {
    const { path, requestSerialize } = plan.method;
    const running = await this.begin(plan, Infinity);
    const answered = new AbortController();
    let ofSource: { error: unknown } | undefined;
    try {
      return await new Promise<Reply>((resolve, reject) => {
        const stream = running.use.channel.client.makeClientStreamRequest(
          path,
          requestSerialize,
          reader(plan.method),
          running.metadata,
          running.options,
          settle(resolve, reject),
        );
        running.cancellation.listen(() => stream.cancel());
        const send = async () => {
          for await (const request of requests) {
            if (answered.signal.aborted) {
              return;
            }
            if (!stream.write(request)) {
              await once(stream, "drain", answered);
            }
          }
          stream.end();
        };
        send().catch((error: unknown) => {
          if (answered.signal.aborted) {
            return;
          }
          ofSource = { error };
          stream.cancel();
        });
      });
    } catch (error) {
      throw ofSource ? ofSource.error : running.failure(error);
    } finally {
      answered.abort();
      running.end();
    }
  }

  /** Cancels running calls; later calls fail as cancelled. */
  close(): void {
    this.isClosed = true;
    for (const cancellation of this.running) {
      cancellation.cancel();
    }
  }

  /** Connects, which is the first step of every call. */
  private async begin(
    plan: CallPlan<never, unknown>,
    defaultMs: number,
    stopped?: AbortSignal,
  ): Promise<RunningCall> {
    const { timeoutMs = defaultMs, signal: given } = plan.call ?? {};
    const deadline = Date.now() + timeoutMs;
    const cancellation = new Cancellation();
    const cancel = () => cancellation.cancel();
    const outer = [given, stopped].filter((each) => each !== undefined);
    for (const each of outer) {
      each.addEventListener("abort", cancel, { once: true });
    }
    if (this.isClosed || outer.some(({ aborted }) => aborted)) {
      cancel();
    }
    this.running.add(cancellation);
    const forget = () => {
      for (const each of outer) {
        each.removeEventListener("abort", cancel);
      }
      this.running.delete(cancellation);
    };
    try {
      const { endpoint, use } = await this.dialer.dial({
        deadline: Math.min(deadline, Date.now() + defaultTimeoutMs),
        cancellation,
        contextOf: (dialled) => this.context(plan, dialled),
      });
      return {
        use,
        cancellation,
        metadata: createMetadata(plan.target, endpoint),
        options: { deadline },
        failure: (error, limitMs = timeoutMs) => {
          const { watch } = use.channel;
          const context = { ...this.context(plan, endpoint), watch, timeoutMs: limitMs };
          const failure = TalosApiError.from(error, context);
          // A slow answer looks the same as a connection to a dead machine.
          if (failure.code === "deadlineExceeded") {
            use.drop();
          }
          return failure;
        },
        end: () => {
          forget();
          use.leave();
        },
      };
    } catch (error) {
      forget();
      throw error;
    }
  }
}

function createMetadata(target: CallTarget, { host }: Endpoint): Metadata {
  const metadata = new Metadata();
  if ("nodes" in target) {
    for (const node of target.nodes) {
      metadata.add("nodes", node);
    }
  } else if (target.node !== host) {
    // With `nodes`, even for a single one, failures would be hidden in messages. `node` leaves
    // reply and status unchanged.
    metadata.set("node", target.node);
  }
  return metadata;
}

/**
 * Reads a reply. A machine's words end on terminals and in reports, so they must not rule these. Specs of resources are
 * YAML, whose texts are read later.
 */
function reader<Reply>({ responseDeserialize }: Method<never, Reply>): (bytes: Buffer) => Reply {
  return (bytes) => printableValue(responseDeserialize(bytes), "yamlSpec");
}

function settle<Reply>(resolve: (reply: Reply) => void, reject: (error: Error) => void) {
  return (error: ServiceError | null, reply?: Reply) => {
    if (error) {
      reject(error);
    } else if (reply === undefined) {
      reject(new Error("the reply is empty"));
    } else {
      resolve(reply);
    }
  };
}

/** No reply arrived within the stream's limit. */
class Silence extends Error {
  readonly code = status.DEADLINE_EXCEEDED;
  readonly details = "no reply for too long";
}

async function unlessSilent<Item>(item: Promise<Item>, silenceMs: number): Promise<Item> {
  if (silenceMs === Infinity) {
    return item;
  }
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silence()), silenceMs);
  });
  try {
    return await Promise.race([item, silent]);
  } finally {
    clearTimeout(timer);
  }
}
