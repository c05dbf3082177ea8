import { hkdfSync } from "node:crypto";
import { selfSignedCertificate } from "./issueCertificate";
import { nodeKey, toBase64 } from "./pem";
import { ed25519KeyOf } from "./privateKey";
import type { CertificateAndKey, SecretsBundle } from "./secretsBundle";

/** The end of a certificate without one (RFC 5280, section 4.1.2.5). */
const NEVER = new Date("9999-12-31T23:59:59Z");
const ALWAYS = new Date("2020-01-01T00:00:00Z");

/** The bytes of an Ed25519 key, and of a serial number. */
const [KEY_BYTES, SERIAL_BYTES] = [32, 16];

/**
 * The certificate and key of a server within a cluster, for example of a webhook: self-signed,
 * Ed25519, both as base64 of PEM. They are derived only from the cluster's secrets and the names,
 * so they need not be stored and are the same in every run. Only the holder of the bundle can
 * derive them.
 *
 * Only clients that get the certificate trust it, so it never ends.
 *
 * @param dnsNames names of the server; the first one identifies it
 */
export async function deriveServingCertificate(
  { cluster }: Pick<SecretsBundle, "cluster">,
  dnsNames: readonly [string, ...string[]],
): Promise<CertificateAndKey> {
  const purpose = `pulumi-talos-aws serving certificate ${dnsNames[0]}`;
  const length = KEY_BYTES + SERIAL_BYTES;
  const derived = Buffer.from(hkdfSync("sha256", cluster.secret, "", purpose, length));
  const { crt, key } = await selfSignedCertificate({
    commonName: dnsNames[0],
    dnsNames,
    usages: ["serverAuth"],
    notBefore: ALWAYS,
    notAfter: NEVER,
    keyType: "ed25519",
    identity: {
      key: ed25519KeyOf(derived.subarray(0, KEY_BYTES)),
      serialNumber: derived.subarray(KEY_BYTES).toString("hex"),
    },
  });
  return { crt, key: toBase64(nodeKey(key)) };
}
