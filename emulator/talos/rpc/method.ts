import type { Role } from "../apid/methodRoles";

/** The context of a call, besides its request. */
export interface CallContext {
  /** Roles the caller has on this node. */
  readonly roles: ReadonlySet<Role>;
  /**
   * The caller's messages, for methods with a stream of requests. Other methods use only the first
   * one.
   */
  readonly requests?: AsyncIterable<Buffer>;
  /** Aborted when the caller cancels, its deadline passes or the node shuts down. */
  readonly signal: AbortSignal;
}

/**
 * One method of a node's API, over the bytes of its messages. Routing sees only bytes, as in the real apid,
 * which forwards calls that it doesn't know.
 */
export interface Method {
  /** `/package.Service/Method` */
  readonly path: string;
  /**
   * One message for a unary method, any number for a streaming one. Throws `RpcError`. `request` is
   * the first message; `context.requests` has all of them.
   */
  invoke(request: Buffer, context: CallContext): AsyncIterable<Buffer>;
}

/** The parts of a generated method definition that are needed to serve it. */
export interface MethodCodec<Request, Response> {
  readonly path: string;
  readonly requestDeserialize: (bytes: Buffer) => Request;
  readonly responseSerialize: (value: Response) => Buffer;
}

/** A method that answers with one message. */
export function unary<Request, Response>(
  codec: MethodCodec<Request, Response>,
  handler: (request: Request, context: CallContext) => Response | Promise<Response>,
): Method {
  return {
    path: codec.path,
    async *invoke(request, context) {
      yield codec.responseSerialize(await handler(codec.requestDeserialize(request), context));
    },
  };
}

/** A method that answers with a stream of messages. */
export function serverStream<Request, Response>(
  codec: MethodCodec<Request, Response>,
  handler: (request: Request, context: CallContext) => AsyncIterable<Response>,
): Method {
  return {
    path: codec.path,
    async *invoke(request, context) {
      for await (const response of handler(codec.requestDeserialize(request), context)) {
        yield codec.responseSerialize(response);
      }
    },
  };
}

/** A method that takes a stream of messages and answers with one. */
export function clientStream<Request, Response>(
  codec: MethodCodec<Request, Response>,
  handler: (requests: AsyncIterable<Request>, context: CallContext) => Response | Promise<Response>,
): Method {
  return {
    path: codec.path,
    async *invoke(request, context) {
      const requests = decoded(context.requests ?? only(request), codec);
      yield codec.responseSerialize(await handler(requests, context));
    },
  };
}

async function* only(request: Buffer): AsyncIterable<Buffer> {
  yield await Promise.resolve(request);
}

async function* decoded<Request>(
  messages: AsyncIterable<Buffer>,
  codec: Pick<MethodCodec<Request, never>, "requestDeserialize">,
): AsyncIterable<Request> {
  for await (const message of messages) {
    yield codec.requestDeserialize(message);
  }
}
