import { connect as connectTcp, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type TLSSocket } from "node:tls";
import type { CallCredentials, ChannelCredentials } from "@grpc/grpc-js";
import {
  type CertificateProblem,
  findCertificateProblem,
  otherMaintenanceNode,
} from "./certificateProblem";
import type { ClientIdentity } from "./clientIdentity";
import type { Endpoint } from "./endpoint";
import { certificateFingerprint } from "./maintenanceServers";

/** The interface that grpc-js calls to secure a TCP connection. */
export type SecureConnector = ReturnType<ChannelCredentials["_createSecureConnector"]>;

/**
 * The progress of a connection: no TCP connection yet, TCP without TLS, or TLS with the expected
 * server.
 */
export type ConnectionStage = "dialling" | "handshaking" | "established";

/** The state of connections, which connectors report. */
export interface ConnectionWatch {
  /** The progress of the latest connection. */
  stage: ConnectionStage;
  /**
   * The last error of a socket or of the certificate check; undefined since a connection was
   * established.
   */
  failure: Error | undefined;
}

/**
 * The idle time after which the kernel probes the other side. With Node's ten probes, one per
 * second, a dead machine is noticed after 20 s. HTTP/2's own ping can't be used: Go's gRPC servers
 * with default settings, such as Talos v1.12's, close a connection with pings more often than every
 * five minutes.
 */
const TCP_KEEPALIVE_MS = 10_000;

/** Options of a connector. */
export interface NodeConnectorOptions {
  readonly endpoint: Endpoint;
  readonly identity: ClientIdentity;
  readonly callCredentials: CallCredentials;
  readonly watch: ConnectionWatch;
}

/**
 * Secures the connections to one address of a node.
 *
 * Node closes a connection with an unverified certificate before the certificate can be read. Here
 * the handshake finishes first and is judged then. So a node in maintenance mode, another cluster's
 * node and a wrong name can be told apart. Nothing is sent before that.
 */
export class NodeConnector implements SecureConnector {
  private readonly sockets = new Set<Socket>();
  private isDestroyed = false;

  constructor(private readonly options: NodeConnectorOptions) {}

  getCallCredentials(): CallCredentials {
    return this.options.callCredentials;
  }

  /**
   * Waits until the port accepts a connection, and closes it again. grpc-js calls this before it
   * connects.
   *
   * grpc-js cannot cancel its own connection attempts. If a machine drops packets, because it boots
   * or is behind a firewall, each attempt would hold a socket for two minutes. So it connects only
   * after this succeeded.
   */
  async waitForReady(): Promise<void> {
    const { host, port } = this.options.endpoint;
    this.options.watch.stage = "dialling";
    const socket = this.track(connectTcp({ host, port }));
    try {
      await untilConnected(socket, "connect");
    } finally {
      socket.destroy();
    }
  }

  async connect(socket: Socket): Promise<{ socket: TLSSocket; secure: boolean }> {
    const { endpoint, identity, watch } = this.options;
    watch.stage = "handshaking";
    socket.setKeepAlive(true, TCP_KEEPALIVE_MS);
    const tlsSocket = this.track(
      connectTls({
        socket,
        secureContext: identity.secureContext,
        host: endpoint.host,
        // RFC 6066, section 3: a server name is a DNS name, never an address.
        ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}),
        ALPNProtocols: ["h2"],
        rejectUnauthorized: false,
        checkServerIdentity: (_, certificate) => {
          const problem = checkServerIdentity(endpoint.host, certificate);
          const { otherName } = endpoint;
          const isOther =
            otherName !== undefined && checkServerIdentity(otherName, certificate) === undefined;
          return isOther ? undefined : problem;
        },
      }),
    );
    await untilConnected(tlsSocket, "secureConnect");
    const problem =
      findCertificateProblem(identity.expected, {
        host: endpoint.host,
        verifyCode: tlsSocket.authorized ? "" : String(tlsSocket.authorizationError),
        get certificate() {
          return tlsSocket.getPeerCertificate();
        },
      }) ?? findOtherServer(identity, tlsSocket);
    if (problem) {
      watch.failure = problem;
      tlsSocket.destroy();
      throw problem;
    }
    watch.stage = "established";
    watch.failure = undefined;
    return { socket: tlsSocket, secure: true };
  }

  destroy(): void {
    this.isDestroyed = true;
    // gRPC sends GOAWAY on its session in the next tick. After that, nothing may stay open.
    setImmediate(() => {
      for (const socket of this.sockets) {
        socket.destroy();
      }
    });
  }

  private track<T extends Socket>(socket: T): T {
    this.sockets.add(socket);
    socket.on("error", (error) => {
      this.options.watch.failure = error;
    });
    socket.once("close", () => this.sockets.delete(socket));
    if (this.isDestroyed) {
      socket.destroy();
    }
    return socket;
  }
}

function findOtherServer(
  { servers }: ClientIdentity,
  socket: TLSSocket,
): CertificateProblem | undefined {
  const certificate = servers && socket.getPeerX509Certificate();
  if (servers === undefined || certificate === undefined) {
    return undefined;
  }
  const found = certificateFingerprint(certificate);
  if (servers.takes(found)) {
    return undefined;
  }
  return otherMaintenanceNode(
    found,
    servers.met === undefined ? (servers.accepted ?? []) : [servers.met],
  );
}

async function untilConnected(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once(event, resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
  });
}
