import { readCertificate } from "./pem";

/**
 * When the first certificate in a base64 PEM field ends, to the second.
 *
 * Raises an `Error` if the field contains no certificate.
 */
export function certificateExpiry(crt: string): Date {
  return new Date(readCertificate(crt).validTo);
}
