import type { TLSSocket } from "node:tls";
import type { TlsAlert } from "./tlsAlert";

/** Extended key usage "TLS client authentication" (RFC 5280, section 4.2.1.12). */
const clientAuth = "1.3.6.1.5.5.7.3.2";

/** Errors of OpenSSL's verification that mean the certificate's time, and those that mean its CA. */
const timeErrors: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
const issuerErrors: ReadonlySet<string> = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_SIGNATURE_FAILURE",
]);

/**
 * Why apid refuses this client, or `undefined` if it takes it: a certificate is required, signed by
 * a CA it accepts, in its time, and for client authentication only (talos v1.12.1,
 * `verifyExtKeyUsage`). Alerts are those Go's TLS server sends.
 *
 * @param now the time as the node's clock shows it, in milliseconds since 1970
 */
export function refusalOf(socket: TLSSocket, now: number): TlsAlert | undefined {
  const certificate = socket.getPeerCertificate();
  // The type says an object is always there; a client without a certificate gives an empty one.
  if (!("raw" in certificate)) return "certificateRequired";
  if (!socket.authorized) {
    // Typed as Error, but a server's socket has the code as text.
    const reason = String(socket.authorizationError);
    if (timeErrors.has(reason)) return "certificateExpired";
    return issuerErrors.has(reason) ? "unknownCa" : "badCertificate";
  }
  if (now < Date.parse(certificate.valid_from) || now > Date.parse(certificate.valid_to)) {
    return "certificateExpired";
  }
  const usages = certificate.ext_key_usage ?? [];
  return usages.length === 1 && usages[0] === clientAuth ? undefined : "badCertificate";
}
