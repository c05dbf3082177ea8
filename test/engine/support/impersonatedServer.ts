import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { fromBase64 } from "../../../provider/pki/pem";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

/**
 * Whether somebody who trusts a bundle takes a server with a certificate for the one with a name: by a handshake.
 *
 * @param bundle certificates, as base64 of PEM
 */
export async function isTakenFor(
  host: string,
  { crt, key }: CertificateAndKey,
  bundle: string,
): Promise<boolean> {
  const server = createServer({ cert: fromBase64(crt), key: fromBase64(key) }, (socket) =>
    socket.end(),
  );
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await new Promise((resolve) => {
      const options = { host: "127.0.0.1", port, servername: host, ca: fromBase64(bundle) };
      const socket = connect(options, () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
  } finally {
    server.close();
  }
}
