import { fromBase64, toBase64 } from "./pem";

/**
 * Several certificates in one field, each base64 of PEM: one after the other in one PEM text, which Go's and
 * OpenSSL's readers of trusted certificates take as all of them. One stays as it is.
 */
export function joinCertificates(certificates: readonly string[]): string {
  const [first = "", ...others] = certificates;
  return others.length === 0
    ? first
    : toBase64(certificates.map((each) => `${fromBase64(each).trimEnd()}\n`).join(""));
}
