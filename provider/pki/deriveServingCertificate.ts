import { hkdfSync } from "node:crypto";
import { selfSignedCertificate } from "./issueCertificate";
import { nodeKey, toBase64 } from "./pem";
import type { RandomBytes } from "./randomBytes";
import type { CertificateAndKey, SecretsBundle } from "./secretsBundle";

/** The end of a certificate without one (RFC 5280, section 4.1.2.5). */
const NEVER = new Date("9999-12-31T23:59:59Z");
const ALWAYS = new Date("2020-01-01T00:00:00Z");

/** More bytes than the key and the serial number need. */
const SEED_BYTES = 128;

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
  const seed = Buffer.from(hkdfSync("sha256", cluster.secret, "", purpose, SEED_BYTES));
  const { crt, key } = await selfSignedCertificate({
    commonName: dnsNames[0],
    dnsNames,
    usages: ["serverAuth"],
    notBefore: ALWAYS,
    notAfter: NEVER,
    keyType: "ed25519",
    randomBytes: takeFrom(seed),
  });
  return { crt, key: toBase64(nodeKey(key)) };
}

/** Returns a function that takes the next bytes. */
function takeFrom(bytes: Buffer): RandomBytes {
  let taken = 0;
  return (size) => {
    taken += size;
    if (taken > bytes.length) {
      throw new Error("a seed is too short for the key and the serial number");
    }
    return bytes.subarray(taken - size, taken);
  };
}
