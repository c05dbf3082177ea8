import type { Http2Server } from "node:http2";
import type { PeerCertificate, SecureContextOptions, TLSSocket } from "node:tls";
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { MachineFaults } from "../faults/machineFaults";
import { refusalOf } from "../tls/clientVerification";
import { TlsListener } from "../tls/tlsListener";
import { answerRawCall, type CallHandler, type RawCallOptions } from "./rawCall";

/** Options of an apid. */
export interface ApidServerOptions {
  readonly address: string;
  readonly port: number;
  readonly identity: SecureContextOptions;
  /** Off in maintenance mode, where clients aren't authenticated. */
  readonly requireClientCertificate: boolean;
  /** Answers calls with the messages of their replies. Throws `RpcError`. */
  readonly handle: CallHandler;
  /** The machine's faults. */
  readonly faults: MachineFaults;
}

/** The maximum size of Talos' messages (talos v1.12.1, `constants.GRPCMaxMessageSize`). */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const services: readonly ServiceDefinition[] = [
  protocol.machine.MachineService.service,
  protocol.machine.ImageService.service,
  protocol.machine.LifecycleService.service,
  protocol.cosi.resource.State.service,
  protocol.storage.StorageService.service,
  protocol.cluster.ClusterService.service,
  protocol.inspect.InspectService.service,
  protocol.time.TimeService.service,
  protocol.securityapi.SecurityService.service,
];

/**
 * The gRPC server on port 50000. Like the real apid, it accepts calls of any method as bytes, and
 * leaves their content to the target node.
 */
export class ApidServer {
  private readonly grpc: Server;
  private readonly listener: TlsListener;

  private readonly down: AbortController;

  private constructor(grpc: Server, listener: TlsListener, down: AbortController) {
    this.grpc = grpc;
    this.listener = listener;
    this.down = down;
  }

  /** Throws the errors of `listen`, for example `EADDRINUSE`. */
  static async start(options: ApidServerOptions): Promise<ApidServer> {
    const grpc = new Server({
      "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
      "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
      // Channelz would keep unused statistics of each call.
      "grpc.enable_channelz": 0,
    });
    const down = new AbortController();
    const organizations = new Map<string, readonly string[]>();
    const organizationsOf = (peer: string) => organizations.get(peer) ?? [];
    for (const service of services) {
      addRawService(grpc, service, {
        handle: options.handle,
        organizationsOf,
        down: down.signal,
      });
    }
    const { faults } = options;
    const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
    setReceiveWindow(grpc);
    const listener = await TlsListener.listen({
      address: options.address,
      port: options.port,
      identity: options.identity,
      requestCertificate: options.requireClientCertificate,
      protocols: ["h2"],
      ...(options.requireClientCertificate
        ? { refuse: (socket: TLSSocket) => refusalOf(socket, faults.now()) }
        : {}),
      onConnection: (socket: TLSSocket) => {
        // Reading a certificate takes longer than answering most calls.
        const peer = `${socket.remoteAddress ?? ""}:${socket.remotePort ?? ""}`;
        organizations.set(peer, certifiedOrganizations(socket));
        socket.once("close", () => organizations.delete(peer));
        injector.injectConnection(socket);
      },
      wire: faults.wire,
    });
    return new ApidServer(grpc, listener, down);
  }

  /** Its listening port. */
  get port(): number {
    return this.listener.port;
  }

  /** Sets certificate, key and CAs for new connections. */
  setIdentity(identity: SecureContextOptions): void {
    this.listener.setIdentity(identity);
  }

  /**
   * Refuses new calls and ends running ones. A connection closes after its answers are sent, or after
   * `graceMs`.
   */
  async close(graceMs = 0): Promise<void> {
    const closed = this.listener.close(graceMs);
    this.down.abort();
    if (graceMs > 0) {
      this.grpc.tryShutdown(() => undefined);
    }
    await closed;
    this.grpc.forceShutdown();
  }
}

function certifiedOrganizations(socket: TLSSocket): readonly string[] {
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  const organizations: string | string[] | undefined = subject?.O;
  return [organizations ?? []].flat();
}

function addRawService(
  grpc: Server,
  service: ServiceDefinition,
  options: Omit<RawCallOptions, "path" | "streaming">,
): void {
  const implementation: UntypedServiceImplementation = {};
  const definition = Object.fromEntries(
    Object.entries(service).map(([name, { path, responseStream }]) => {
      implementation[name] = (call: ServerDuplexStream<Buffer, Buffer>) => {
        void answerRawCall(call, { ...options, path, streaming: responseStream });
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

/** Receive window of one call. Source: Talos v1.12.1, pkg/grpc/factory/factory.go. */
const CALL_BYTES = 32 * 65_535;

/** Receive window of a connection. Source: the same. */
const CONNECTION_BYTES = 16 * 65_535;

/**
 * Sets the same receive window as in apid. grpc-js has an option for that only in clients, so this
 * accesses its private HTTP/2 servers.
 */
function setReceiveWindow(server: Server): void {
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> };
  for (const http2Server of http2Servers.keys()) {
    http2Server.on("session", (session) => {
      session.settings({ initialWindowSize: CALL_BYTES });
      session.setLocalWindowSize(CONNECTION_BYTES);
    });
  }
}
