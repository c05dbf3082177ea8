import { readCertificate } from "./pem";

/**
 * When the first certificate in a base64 PEM field ends, to the second.
 *
 * Raises an `Error` if the field contains no certificate.
 */
export function certificateExpiry(crt: string): Date {
  return new Date(readCertificate(crt).validTo);
}

/**
 * Whether a certificate (base64 of PEM) is in its renewal window or has expired. The default window
 * is the last third of its lifetime: with a fixed window of 30 days, a certificate of one day would
 * be renewed at every run.
 */
export function isInRenewalWindow(certificate: string, now: Date, windowMs?: number): boolean {
  const { validFrom, validTo } = readCertificate(certificate);
  const start = Date.parse(validFrom);
  const end = Date.parse(validTo);
  return now.getTime() >= end - (windowMs ?? (end - start) / 3);
}
