import { X509Certificate } from "node:crypto";
import { fromBase64 } from "../../../provider/pki/pem";

/** The certificate in a base64 PEM field, as OpenSSL inside Node reads it. */
export function parseCertificate(crt: string): X509Certificate {
  return new X509Certificate(fromBase64(crt));
}

/** How long a certificate is valid. */
export function lifetimeMs(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo) - Date.parse(certificate.validFrom);
}

/** DER of X.509 extensions in hex, as `openssl asn1parse` shows them in what talosctl v1.12.1 makes. */
export const extension = {
  /** Key usage, critical: digital signature, certificate sign. */
  authorityKeyUsage: "300e0603551d0f0101ff040403020284",
  /** Key usage, critical: digital signature. */
  leafKeyUsage: "300e0603551d0f0101ff040403020780",
  /** Extended key usage: server, then client. */
  serverAndClient: "301d0603551d250416301406082b0601050507030106082b06010505070302",
  /** Extended key usage: client alone. */
  client: "30130603551d25040c300a06082b06010505070302",
  /** Basic constraints, critical: a CA, no path length. */
  authority: "300f0603551d130101ff040530030101ff",
  /** All of a subject key identifier extension but its 20 bytes. */
  subjectKeyIdentifier: "301d0603551d0e04160414",
  /** All of an authority key identifier extension but its 20 bytes. */
  authorityKeyIdentifier: "301f0603551d230418301680" + "14",
};

/** The DER of a certificate's list of extensions in hex, to be searched and compared. */
export function extensionsHex(certificate: X509Certificate): string {
  const der = certificate.raw.toString("hex");
  return der.slice(der.indexOf("300e0603551d0f"));
}
