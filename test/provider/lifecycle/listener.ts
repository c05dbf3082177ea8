import { once } from "node:events";
import { createServer, type TLSSocket } from "node:tls";
import { fromBase64, nodeKey } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

/** Who listens at a machine's address without being that machine. */
export interface Listener {
  /** TCP connections so far. */
  connections(): number;
  /** Bytes that clients sent inside TLS so far. */
  bytesHeard(): number;
  stop(): Promise<void>;
}

/** Listens where a machine's Talos API would be, takes every client, and answers nothing. */
export async function startListener(
  address: string,
  certificate: CertificateAndKey,
): Promise<Listener> {
  let connections = 0;
  let bytes = 0;
  const sockets = new Set<TLSSocket>();
  const server = createServer({
    cert: fromBase64(certificate.crt),
    key: nodeKey(certificate.key),
    ALPNProtocols: ["h2"],
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.on("data", (data: Buffer) => {
      bytes += data.length;
    });
    socket.on("error", () => socket.destroy());
  });
  server.listen(50_000, address);
  await once(server, "listening");
  return {
    connections: () => connections,
    bytesHeard: () => bytes,
    stop: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, "close");
    },
  };
}
