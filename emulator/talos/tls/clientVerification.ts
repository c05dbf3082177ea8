import type { TLSSocket } from "node:tls";
import type { TlsAlert } from "./tlsAlert";

/** Extended key usage "TLS client authentication" (RFC 5280, section 4.2.1.12). */
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

/**
 * OpenSSL's verification errors about the certificate's validity period, and those about its CA.
 */
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
 * Why apid refuses this client; `undefined` if it accepts it. A client needs a certificate of an
 * accepted CA, valid now, with only the client authentication usage (talos v1.12.1,
 * `verifyExtKeyUsage`). The alerts are those of Go's TLS server.
 *
 * @param now the time of the node's clock, in milliseconds since 1970
 */
export function refusalOf(socket: TLSSocket, now: number): TlsAlert | undefined {
  const certificate = socket.getPeerCertificate();
  // The type says that an object is always present; without a certificate it is empty.
  if (!("raw" in certificate)) {
    return "certificateRequired";
  }
  if (!socket.authorized) {
    // The type is Error, but a server's socket has the code as text.
    const reason = String(socket.authorizationError);
    if (timeErrors.has(reason)) {
      return "certificateExpired";
    }
    return issuerErrors.has(reason) ? "unknownCa" : "badCertificate";
  }
  if (now < Date.parse(certificate.valid_from) || now > Date.parse(certificate.valid_to)) {
    return "certificateExpired";
  }
  const usages = certificate.ext_key_usage ?? [];
  return usages.length === 1 && usages[0] === CLIENT_AUTH ? undefined : "badCertificate";
}
