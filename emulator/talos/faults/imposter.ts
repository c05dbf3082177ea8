import { once } from "node:events";
import type { Socket } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { fromBase64, nodeKey, selfSignedCertificate } from "../../../provider/pki";
import { maintenanceCommonName } from "../machine/nodeCertificates";
import { apidPort } from "../machine/ports";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What an imposter has received. */
export interface ImposterObservation {
  /** TCP connections. */
  readonly connections: number;
  /** Bytes that clients sent inside TLS, after they accepted the imposter's certificate. */
  readonly receivedBytes: number;
}

/**
 * A foreign server at a machine's address. It accepts every client, shows a self-signed certificate, keeps
 * what it receives and never answers.
 */
export class Imposter {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private connections = 0;
  private receivedBytes = 0;

  private constructor(server: Server) {
    this.server = server;
    server.on("connection", (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
      socket.on("error", () => socket.destroy());
    });
    server.on("secureConnection", (socket: TLSSocket) => {
      socket.on("data", (data: Buffer) => (this.receivedBytes += data.length));
      socket.on("error", () => socket.destroy());
    });
  }

  /**
   * Listens on port 50000. Throws the errors of `listen`.
   *
   * @param inMaintenance whether its certificate has the name of a machine in maintenance mode
   */
  static async start(address: string, inMaintenance: boolean): Promise<Imposter> {
    const { crt, key } = await selfSignedCertificate({
      commonName: inMaintenance ? maintenanceCommonName : "imposter",
      dnsNames: [],
      ipAddresses: [address],
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + DAY_MS),
      usages: ["serverAuth"],
      keyType: "ed25519",
    });
    const server = createServer({
      cert: fromBase64(crt),
      key: nodeKey(key),
      ALPNProtocols: ["h2"],
      requestCert: true,
      rejectUnauthorized: false,
    });
    const imposter = new Imposter(server);
    server.listen(apidPort, address);
    await once(server, "listening");
    return imposter;
  }

  /** What it has received so far. */
  get observed(): ImposterObservation {
    return { connections: this.connections, receivedBytes: this.receivedBytes };
  }

  /** Stops it and closes its connections. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    this.server.close();
    await once(this.server, "close");
  }
}
