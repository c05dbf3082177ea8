import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { selfSignedCertificate } from "../../../provider/pki/issueCertificate";
import { varOf } from "./labDisk";

const YEAR_MS = 365 * 86_400_000;

/** Gives a machine's kubelet a serving certificate that ended yesterday, as one that has run for a year has. */
export async function expireServingCertificate(machine: string, nodeName: string): Promise<void> {
  const now = Date.now();
  const { crt, key } = await selfSignedCertificate({
    commonName: `${nodeName}@1`,
    dnsNames: [nodeName],
    usages: ["serverAuth"],
    keyType: "p256",
    notBefore: new Date(now - YEAR_MS),
    notAfter: new Date(now - 86_400_000),
  });
  const folder = join(varOf(machine), "lib/kubelet/pki");
  writeFileSync(join(folder, "kubelet.crt"), Buffer.from(crt, "base64"));
  writeFileSync(join(folder, "kubelet.key"), Buffer.from(key, "base64"), { mode: 0o600 });
}
