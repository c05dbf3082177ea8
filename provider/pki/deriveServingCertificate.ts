import { hkdfSync } from "node:crypto";
import { selfSignedCertificate } from "./issueCertificate";
import { nodeKey, readCertificate, readPrivateKey, toBase64 } from "./pem";
import { ed25519KeyOf } from "./privateKey";
import type { CertificateAndKey } from "./secretsBundle";
import { WITHHELD } from "./withheld";

/** The bytes of an Ed25519 key, and of a serial number. */
const [KEY_BYTES, SERIAL_BYTES] = [32, 16];

/**
 * The certificate and key of a server within a cluster, for example of a webhook: self-signed,
 * Ed25519, both as base64 of PEM. They are derived only from the cluster's Kubernetes CA and the
 * names, so they need not be stored and are the same in every run. Workers don't have the CA's key,
 * and can't derive them. A rotation of the CA makes others, and they end with it.
 *
 * Only clients that get the certificate trust it. From a key that is withheld follows nothing but what is withheld.
 *
 * @param authority a generation of the Kubernetes CA. Its key is secret
 * @param dnsNames names of the server; the first one identifies it
 */
export async function deriveServingCertificate(
  authority: CertificateAndKey,
  dnsNames: readonly [string, ...string[]],
): Promise<CertificateAndKey> {
  if (authority.key === WITHHELD) {
    return { crt: WITHHELD, key: WITHHELD };
  }
  const purpose = `pulumi-talos-aws serving certificate ${dnsNames[0]}`;
  const length = KEY_BYTES + SERIAL_BYTES;
  const secret = readPrivateKey(authority.key).export({ type: "pkcs8", format: "der" });
  const derived = Buffer.from(hkdfSync("sha256", secret, "", purpose, length));
  const { validFrom, validTo } = readCertificate(authority.crt);
  const { crt, key } = await selfSignedCertificate({
    commonName: dnsNames[0],
    dnsNames,
    usages: ["serverAuth"],
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    keyType: "ed25519",
    identity: {
      key: ed25519KeyOf(derived.subarray(0, KEY_BYTES)),
      serialNumber: derived.subarray(KEY_BYTES).toString("hex"),
    },
  });
  return { crt, key: toBase64(nodeKey(key)) };
}
