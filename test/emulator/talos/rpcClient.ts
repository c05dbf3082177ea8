import {
  Client,
  credentials,
  Metadata,
  status,
  type ChannelCredentials,
  type ServiceError,
} from "@grpc/grpc-js";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

/** What of a generated method definition is needed to call it. */
interface Codec<Request, Response> {
  readonly path: string;
  readonly requestSerialize: (value: Request) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Response;
}

interface CallOptions {
  /** A list is sent as a repeated header. */
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>;
  readonly timeoutMs?: number;
}

/** A plain gRPC client of one node, close to the wire, so that tests see what a node really sends. */
export class RpcClient {
  private readonly client: Client;

  constructor(address: string, channel: ChannelCredentials, port = 50000) {
    this.client = new Client(`${address}:${port}`, channel, {
      // Each test has connections of its own: none gets those of another that was refused.
      "grpc.use_local_subchannel_pool": 1,
    });
  }

  /** A client that trusts any server, as one must who talks to a node in maintenance. */
  static insecure(address: string): RpcClient {
    return new RpcClient(
      address,
      credentials.createSsl(null, null, null, { rejectUnauthorized: false }),
    );
  }

  /** A client that trusts a CA, with a certificate or without. */
  static secure(address: string, ca: string, client?: CertificateAndKey): RpcClient {
    return new RpcClient(
      address,
      client
        ? credentials.createSsl(
            Buffer.from(fromBase64(ca)),
            Buffer.from(nodeKey(client.key)),
            Buffer.from(fromBase64(client.crt)),
          )
        : credentials.createSsl(Buffer.from(fromBase64(ca))),
    );
  }

  /** One request, one reply. Rejects with grpc-js's ServiceError. */
  unary<Request, Response>(
    method: Codec<Request, Response>,
    request: Request,
    options: CallOptions = {},
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        metadataOf(options),
        { deadline: Date.now() + (options.timeoutMs ?? 100_000) },
        (error, response) => {
          if (error) {
            reject(error);
          } else if (response === undefined) {
            reject(new Error("no response"));
          } else {
            resolve(response);
          }
        },
      );
    });
  }

  /** Messages of a stream until it ends, or until `enough` of them say so. */
  stream<Request, Response>(
    method: Codec<Request, Response>,
    request: Request,
    options: CallOptions & { readonly enough?: (messages: readonly Response[]) => boolean } = {},
  ): Promise<Response[]> {
    return new Promise((resolve, reject) => {
      const messages: Response[] = [];
      const call = this.client.makeServerStreamRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        metadataOf(options),
        { deadline: Date.now() + (options.timeoutMs ?? 100_000) },
      );
      call.on("data", (message: Response) => {
        messages.push(message);
        if (options.enough?.(messages) === true) {
          resolve(messages);
          call.cancel();
        }
      });
      call.on("end", () => resolve(messages));
      call.on("error", reject);
    });
  }

  close(): void {
    this.client.close();
  }
}

/** The status a call fails with, as `CODE: text`; fails the test if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (!isServiceError(error)) {
      throw error;
    }
    return `${status[error.code]}: ${error.details}`;
  }
  throw new Error("the call was to fail, and succeeded");
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error;
}

function metadataOf({ metadata = {} }: CallOptions): Metadata {
  const result = new Metadata();
  for (const [key, values] of Object.entries(metadata)) {
    for (const value of [values].flat()) {
      result.add(key, value);
    }
  }
  return result;
}
