import { socketErrors, type ConnectionProblem } from "./connectionProblem";

/**
 * Texts of apid v1.12.1 about a node that it could not reach, and of grpc-js 1.14 about a
 * connection that ended.
 */
const phrases: readonly (readonly [RegExp, string | undefined])[] = [
  [/connection refused/, socketErrors.ECONNREFUSED],
  [/no route to host|host is (down|unreachable)/, socketErrors.EHOSTUNREACH],
  [/network is unreachable/, socketErrors.ENETUNREACH],
  [/i\/o timeout/, socketErrors.ETIMEDOUT],
  [/lookup error|no such host/, socketErrors.ENOTFOUND],
  [/connection (reset by peer|dropped)|broken pipe|\bEOF\b/i, socketErrors.ECONNRESET],
];

/**
 * Explains an UNAVAILABLE without an error of the connection to the endpoint: the endpoint could
 * not forward the call. `detail` is its text. It cannot distinguish a node in maintenance mode from
 * one of another cluster, because it trusts neither certificate.
 */
export function explainUnavailable(detail: string): ConnectionProblem {
  if (detail.includes("certificate signed by unknown authority")) {
    return {
      code: "unreachable",
      sentence:
        "does not prove that it belongs to the endpoint's cluster: it is in maintenance mode, or the address belongs to another cluster",
    };
  }
  const names = /certificate is valid for (.+), not ([^"\s]+)/.exec(detail);
  if (names) {
    return {
      code: "nameNotInCertificate",
      sentence: `has a certificate for ${names[1]} and not for "${names[2]}": use a name from the certificate, or add "${names[2]}" to machine.certSANs of the node`,
    };
  }
  if (detail.includes("certificate has expired or is not yet valid")) {
    return {
      code: "serverCertificateInvalid",
      sentence:
        "has a certificate that is not valid now by the endpoint's clock; set the clock right on the node or on the endpoint",
    };
  }
  const reason = phrases.find(([pattern]) => pattern.test(detail))?.[1];
  if (reason !== undefined) {
    return { code: "unreachable", sentence: `cannot be reached: ${reason} (${detail})` };
  }
  // The node itself reports that something it needs for an answer is missing, for example
  // containerd or etcd.
  return { code: "unreachable", sentence: `is not available now: ${detail}` };
}
