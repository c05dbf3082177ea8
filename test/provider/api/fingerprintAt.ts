import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { certificateFingerprint } from "../../../provider/api/maintenanceServers";

/** The fingerprint of the certificate of whoever answers at an address. */
export async function fingerprintAt(address: string): Promise<string> {
  const socket: TLSSocket = connect({
    host: address,
    port: 50_000,
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
  });
  await once(socket, "secureConnect");
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (certificate === undefined) {
    throw new Error("there is no certificate");
  }
  return certificateFingerprint(certificate);
}
