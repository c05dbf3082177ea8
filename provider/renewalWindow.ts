import { X509Certificate } from "node:crypto";

/**
 * Whether a certificate (base64 of PEM) is in the last third of its life or past its end: time to
 * issue the next one. Relative to the lifetime, so that a certificate of a day isn't renewed at
 * every run, as a fixed window of 30 days would have it.
 */
export function isInRenewalWindow(certificate: string, now: Date): boolean {
  const { validFrom, validTo } = new X509Certificate(Buffer.from(certificate, "base64"));
  const start = Date.parse(validFrom);
  const end = Date.parse(validTo);
  return now.getTime() >= end - (end - start) / 3;
}
