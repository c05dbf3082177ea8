import { X509Certificate } from "node:crypto";

/**
 * Whether a certificate (base64 of PEM) ends within a window, or has ended: time to issue the next
 * one. By default the window is the last third of its life: relative, so that a certificate of a
 * day isn't renewed at every run, as a fixed window of 30 days would have it.
 */
export function isInRenewalWindow(certificate: string, now: Date, windowMs?: number): boolean {
  const { validFrom, validTo } = new X509Certificate(Buffer.from(certificate, "base64"));
  const start = Date.parse(validFrom);
  const end = Date.parse(validTo);
  return now.getTime() >= end - (windowMs ?? (end - start) / 3);
}
