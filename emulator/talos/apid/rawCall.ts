import { once } from "node:events";
import { status, type Metadata, type ServerDuplexStream } from "@grpc/grpc-js";
import { RpcError } from "../rpc/rpcError";

/** A received call. */
export interface IncomingCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly metadata: Metadata;
  /** The first message of the caller. */
  readonly request: Buffer;
  /** All messages of the caller. */
  readonly requests: AsyncIterable<Buffer>;
  /** Organizations of the client's certificate; none without one. */
  readonly organizations: readonly string[];
  readonly signal: AbortSignal;
}

/** Answers a call with the messages of its reply. Throws `RpcError`. */
export type CallHandler = (call: IncomingCall) => AsyncIterable<Buffer>;

/** Options of an answer. */
export interface RawCallOptions {
  readonly path: string;
  /** Whether the reply is a stream. */
  readonly streaming: boolean;
  readonly handle: CallHandler;
  /** The organizations of the client at `address:port`; empty without a certificate. */
  readonly organizationsOf: (peer: string) => readonly string[];
  /** Aborted when the server shuts down, which ends streams and unanswered calls. */
  readonly down: AbortSignal;
}

/** The abort reason of calls. All calls share one, because creating the default one is slow. */
const callerHasGone = new Error("the caller has gone");

/** Answers a call of any method, with messages as bytes. */
export async function answerRawCall(
  call: ServerDuplexStream<Buffer, Buffer>,
  { path, streaming, handle, organizationsOf, down }: RawCallOptions,
): Promise<void> {
  const gone = new AbortController();
  call.on("cancelled", () => gone.abort(callerHasGone));
  call.on("close", () => gone.abort(callerHasGone));
  const signal = AbortSignal.any([gone.signal, down]);
  try {
    const messages = new Messages(call);
    const request = await messages.first();
    for await (const message of handle({
      path,
      metadata: call.metadata,
      request,
      requests: messages.all(),
      organizations: organizationsOf(call.getPeer()),
      signal,
    })) {
      if (gone.signal.aborted) {
        return;
      }
      if (!call.write(message)) {
        await drained(call, gone.signal);
      }
    }
    if (streaming && down.aborted) {
      throw closing();
    }
    call.end();
  } catch (error) {
    const { code, message } = down.aborted ? closing() : RpcError.from(error);
    call.emit("error", { code, details: message });
  }
}

/** The error of a server that shuts down, with grpc-go's message. */
function closing(): RpcError {
  return new RpcError(status.UNAVAILABLE, "transport is closing");
}

/** The caller's messages, queued until they are read. */
class Messages {
  private readonly received: Buffer[] = [];
  private isOver = false;
  private wake: () => void = () => undefined;

  constructor(call: ServerDuplexStream<Buffer, Buffer>) {
    const end = () => {
      this.isOver = true;
      this.wake();
    };
    call.on("data", (message: Buffer) => {
      this.received.push(message);
      this.wake();
    });
    call.once("end", end);
    call.once("cancelled", end);
  }

  /** The first message, the only one of most calls. Empty without one. */
  async first(): Promise<Buffer> {
    for await (const message of this.all()) {
      return message;
    }
    return Buffer.alloc(0);
  }

  async *all(): AsyncIterable<Buffer> {
    for (let index = 0; ;) {
      const message = this.received[index];
      if (message) {
        index += 1;
        yield message;
      } else if (this.isOver) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.wake = resolve));
      }
    }
  }
}

/** Resolves when more can be written, or when the reader has stopped. */
async function drained(call: ServerDuplexStream<Buffer, Buffer>, gone: AbortSignal): Promise<void> {
  try {
    await once(call, "drain", { signal: gone });
  } catch (error) {
    if (!gone.aborted) {
      throw error;
    }
  }
}
