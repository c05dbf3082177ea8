import type { SecureContextOptions, TLSSocket } from "node:tls";
import {
  Server,
  ServerCredentials,
  type Metadata,
  type ServerDuplexStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { protocol } from "../../../provider/api/protocol";
import { RpcError } from "../rpc/rpcError";
import { refusalOf } from "../tls/clientVerification";
import { TlsListener } from "../tls/tlsListener";

/** A call as it arrived. */
export interface IncomingCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly metadata: Metadata;
  readonly request: Buffer;
  /** Organizations of the client's certificate; none without one. */
  readonly organizations: readonly string[];
  readonly signal: AbortSignal;
}

/** What an apid listens with. */
export interface ApidServerOptions {
  readonly address: string;
  readonly port: number;
  readonly identity: SecureContextOptions;
  /** Off in maintenance mode, where everybody is let in. */
  readonly requireClientCertificate: boolean;
  /** Answers calls with the messages of their replies. Raises `RpcError`. */
  readonly handle: (call: IncomingCall) => AsyncIterable<Buffer>;
}

/** As large as Talos' messages may be (talos v1.12.1, `constants.GRPCMaxMessageSize`). */
const maxMessageBytes = 32 * 1024 * 1024;

const services: readonly ServiceDefinition[] = [
  protocol.machine.MachineService.service,
  protocol.cosi.resource.State.service,
  protocol.storage.StorageService.service,
  protocol.cluster.ClusterService.service,
  protocol.inspect.InspectService.service,
  protocol.time.TimeService.service,
  protocol.securityapi.SecurityService.service,
];

/**
 * The gRPC server on port 50000. Like the real apid it takes calls as bytes, for every method there
 * is, and leaves what they mean to whom they are for.
 */
export class ApidServer {
  readonly #grpc: Server;
  readonly #listener: TlsListener;

  private constructor(grpc: Server, listener: TlsListener) {
    this.#grpc = grpc;
    this.#listener = listener;
  }

  /** Raises what `listen` raises, for example `EADDRINUSE`. */
  static async start(options: ApidServerOptions): Promise<ApidServer> {
    const grpc = new Server({
      "grpc.max_receive_message_length": maxMessageBytes,
      "grpc.max_send_message_length": maxMessageBytes,
    });
    for (const service of services) addRawService(grpc, service, options.handle);
    const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
    const listener = await TlsListener.listen({
      address: options.address,
      port: options.port,
      identity: options.identity,
      requestCertificate: options.requireClientCertificate,
      protocols: ["h2"],
      ...(options.requireClientCertificate ? { refuse: refusalOf } : {}),
      onConnection: (socket: TLSSocket) => injector.injectConnection(socket),
    });
    return new ApidServer(grpc, listener);
  }

  /** The port it listens on. */
  get port(): number {
    return this.#listener.port;
  }

  /** Certificate, key and CAs for the connections to come. */
  setIdentity(identity: SecureContextOptions): void {
    this.#listener.setIdentity(identity);
  }

  /**
   * Takes no more calls. A connection ends as soon as its calls are answered, and is cut after
   * `graceMs` if they are not.
   */
  async close(graceMs = 0): Promise<void> {
    const closed = this.#listener.close(graceMs);
    if (graceMs > 0) this.#grpc.tryShutdown(() => undefined);
    await closed;
    this.#grpc.forceShutdown();
  }
}

function addRawService(
  grpc: Server,
  service: ServiceDefinition,
  handle: ApidServerOptions["handle"],
): void {
  const implementation: UntypedServiceImplementation = {};
  const definition = Object.fromEntries(
    Object.entries(service).map(([name, { path }]) => {
      implementation[name] = (call: ServerDuplexStream<Buffer, Buffer>) => {
        void respond(call, path, handle);
      };
      const raw = { requestStream: true, responseStream: true, ...identityCodec };
      return [name, { path, ...raw }];
    }),
  );
  grpc.addService(definition, implementation);
}

const keep = (bytes: Buffer): Buffer => bytes;
const identityCodec = {
  requestSerialize: keep,
  requestDeserialize: keep,
  responseSerialize: keep,
  responseDeserialize: keep,
};

async function respond(
  call: ServerDuplexStream<Buffer, Buffer>,
  path: string,
  handle: ApidServerOptions["handle"],
): Promise<void> {
  const abort = new AbortController();
  call.on("cancelled", () => abort.abort());
  call.on("close", () => abort.abort());
  try {
    const request = await firstMessage(call);
    const { sslPeerCertificate } = call.getAuthContext();
    const organizations: string | string[] | undefined = sslPeerCertificate?.subject.O;
    for await (const message of handle({
      path,
      metadata: call.metadata,
      request,
      organizations: [organizations ?? []].flat(),
      signal: abort.signal,
    })) {
      if (abort.signal.aborted) return;
      if (!call.write(message)) await drained(call, abort.signal);
    }
    call.end();
  } catch (error) {
    const { code, message } = RpcError.from(error);
    call.emit("error", { code, details: message });
  }
}

/** The request of a unary or server-streaming call: its first message. The rest is drained. */
function firstMessage(call: ServerDuplexStream<Buffer, Buffer>): Promise<Buffer> {
  return new Promise((resolve) => {
    call.on("data", resolve);
    call.once("end", () => resolve(Buffer.alloc(0)));
    call.once("cancelled", () => resolve(Buffer.alloc(0)));
  });
}

function drained(call: ServerDuplexStream<Buffer, Buffer>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    call.once("drain", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
