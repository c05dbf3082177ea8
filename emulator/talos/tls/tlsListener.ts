import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type Server as TlsServer,
  type TLSSocket,
} from "node:tls";
import type { Wire, WiredPort } from "../faults/wire";
import { alertRecord, type TlsAlert } from "./tlsAlert";

/** Options of a listener. */
export interface TlsListenerOptions {
  /** Loopback address. */
  readonly address: string;
  /** TCP port; 0 lets the system choose. */
  readonly port: number;
  /** PEM certificate and key of the server and, if clients need a certificate, the CAs. */
  readonly identity: SecureContextOptions;
  /** Whether clients are asked for a certificate. */
  readonly requestCertificate: boolean;
  /** Protocols offered (ALPN), for example `["h2"]`. */
  readonly protocols: readonly string[];
  /** The reason to refuse a client after its handshake; `undefined` accepts it. */
  readonly refuse?: (socket: TLSSocket) => TlsAlert | undefined;
  /** Gets each connection that was not refused. */
  readonly onConnection: (socket: TLSSocket) => void;
  /** The simulated network between it and its clients. */
  readonly wire: Wire;
}

/** The number of session tickets that OpenSSL sends first under the application keys. */
const TICKETS_AFTER_HANDSHAKE = 2;
const TICKETS_AFTER_RESUMPTION = 1;

/**
 * A TLS server that refuses clients like a Go server, with an alert that says why. It can be shut
 * at once with all its connections, like on a machine that loses power.
 */
export class TlsListener implements WiredPort {
  private readonly options: TlsListenerOptions;
  private readonly raw: Server;
  private readonly tls: TlsServer;
  private readonly sockets = new Map<string, Socket>();
  private readonly secrets = new WeakMap<TLSSocket, Buffer>();
  private closed: Promise<void> | undefined;

  private constructor(options: TlsListenerOptions) {
    this.options = options;
    this.tls = createTlsServer({
      ...options.identity,
      requestCert: options.requestCertificate,
      rejectUnauthorized: false,
      ALPNProtocols: [...options.protocols],
    });
    this.tls.on("keylog", (line, socket) => this.keepSecret(line, socket));
    this.tls.on("secureConnection", (socket) => this.accept(socket, options));
    this.raw = createServer({ noDelay: true }, (socket) => this.track(socket));
  }

  /** Throws the errors of `listen`, for example `EADDRINUSE` or, for an address the machine lacks, `EADDRNOTAVAIL`. */
  static async listen(options: TlsListenerOptions): Promise<TlsListener> {
    const listener = new TlsListener(options);
    await options.wire.plug(listener);
    return listener;
  }

  async open(): Promise<void> {
    if (this.closed) {
      return;
    }
    const { port, address } = this.options;
    this.raw.listen(port, address);
    await once(this.raw, "listening");
  }

  async shut(): Promise<void> {
    if (!this.raw.listening) {
      return;
    }
    const closed = once(this.raw, "close");
    this.raw.close();
    this.reset();
    await closed;
  }

  reset(): void {
    for (const socket of this.sockets.values()) {
      socket.resetAndDestroy();
    }
  }

  /** Its listening port. */
  get port(): number {
    const bound = this.raw.address();
    return typeof bound === "object" && bound ? bound.port : 0;
  }

  /** Sets certificate, key and CAs for new connections. */
  setIdentity(identity: SecureContextOptions): void {
    this.tls.setSecureContext(identity);
  }

  /**
   * Accepts no more connections. Open ones end within `graceMs`; it resolves after the last one.
   */
  close(graceMs = 0): Promise<void> {
    this.closed ??= this.currentClose(graceMs);
    return this.closed;
  }

  private async currentClose(graceMs: number): Promise<void> {
    const { wire } = this.options;
    if (!this.raw.listening) {
      wire.unplug(this);
      return;
    }
    const closed = once(this.raw, "close");
    this.raw.close();
    const timer = setTimeout(() => {
      for (const socket of this.sockets.values()) {
        socket.destroy();
      }
    }, graceMs);
    await closed;
    clearTimeout(timer);
    wire.unplug(this);
  }

  private track(socket: Socket): void {
    const key = peerOf(socket);
    this.sockets.set(key, socket);
    socket.once("close", () => this.sockets.delete(key));
    socket.on("error", () => socket.destroy());
    this.options.wire.take(socket, () => this.tls.emit("connection", socket));
  }

  private keepSecret(line: Buffer, socket: TLSSocket): void {
    const [label, , secret] = line.toString("utf8").trim().split(" ");
    if (label === "SERVER_TRAFFIC_SECRET_0" && secret !== undefined) {
      this.secrets.set(socket, Buffer.from(secret, "hex"));
    }
  }

  private accept(socket: TLSSocket, options: TlsListenerOptions): void {
    socket.on("error", () => socket.destroy());
    const alert = options.refuse?.(socket);
    if (alert === undefined) {
      options.onConnection(socket);
      return;
    }
    // The tickets are sent after this event, and count in the record's sequence number.
    setImmediate(() => this.refuse(socket, alert));
  }

  private refuse(socket: TLSSocket, alert: TlsAlert): void {
    const raw = this.sockets.get(peerOf(socket));
    const secret = this.secrets.get(socket);
    const record =
      secret &&
      alertRecord(
        alert,
        socket.getCipher().standardName,
        secret,
        socket.isSessionReused() ? TICKETS_AFTER_RESUMPTION : TICKETS_AFTER_HANDSHAKE,
      );
    // Without a record, for example with TLS 1.2, the client only sees the connection close.
    if (raw && record) {
      raw.write(record, () => raw.destroySoon());
    } else {
      socket.destroy();
    }
  }
}

/** Identifies a connection of a listener. */
function peerOf(socket: Socket): string {
  return `${socket.remoteAddress ?? ""} ${socket.remotePort ?? ""}`;
}
