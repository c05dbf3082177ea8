import { connect } from "node:tls";
import { maintenanceCommonName } from "../../talos/machine/nodeCertificates";

const APID_PORT = 50_000;
const ANSWER_MS = 1_000;

/**
 * Asks a Talos machine how far it is, by the certificate that its API shows.
 *
 * @param address where its port 50000 is
 */
export function talosStage(address: string): Promise<"booting" | "maintenance" | "running"> {
  return new Promise((resolve) => {
    // Nothing is sent, and nothing of what it says is believed.
    const socket = connect({ host: address, port: APID_PORT, rejectUnauthorized: false });
    const end = (stage: "booting" | "maintenance" | "running") => {
      socket.destroy();
      resolve(stage);
    };
    socket.setTimeout(ANSWER_MS, () => end("booting"));
    socket.once("error", () => end("booting"));
    socket.once("secureConnect", () => {
      const { subject } = socket.getPeerCertificate();
      end(subject.CN === maintenanceCommonName ? "maintenance" : "running");
    });
  });
}
