import { fromBase64, toBase64 } from "./pem";

/**
 * Several certificates in one field, each base64 of PEM: concatenated in one PEM text. Go and
 * OpenSSL read all of them as trusted certificates. A single one stays unchanged.
 */
export function joinCertificates(certificates: readonly string[]): string {
  const [first = "", ...others] = certificates;
  return others.length === 0
    ? first
    : toBase64(certificates.map((each) => `${fromBase64(each).trimEnd()}\n`).join(""));
}
