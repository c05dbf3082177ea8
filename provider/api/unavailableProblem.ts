import { socketErrors, type ConnectionProblem } from "./connectionProblem";

/** What apid v1.12.1 writes of a node it could not reach, and grpc-js 1.14 of a connection that ended. */
const phrases: readonly (readonly [RegExp, string | undefined])[] = [
  [/connection refused/, socketErrors.ECONNREFUSED],
  [/no route to host|host is (down|unreachable)/, socketErrors.EHOSTUNREACH],
  [/network is unreachable/, socketErrors.ENETUNREACH],
  [/i\/o timeout/, socketErrors.ETIMEDOUT],
  [/lookup error|no such host/, socketErrors.ENOTFOUND],
  [/connection (reset by peer|dropped)|broken pipe|\bEOF\b/i, socketErrors.ECONNRESET],
];

/**
 * Explains an UNAVAILABLE where the connection to the endpoint itself reported no error: the
 * endpoint could not forward the call; `detail` is its text. It cannot tell a node in maintenance
 * mode from one of another cluster: both have a certificate it does not trust.
 */
export function explainUnavailable(detail: string): ConnectionProblem {
  if (detail.includes("certificate signed by unknown authority")) {
    return {
      code: "unreachable",
      sentence:
        "does not prove to be of the endpoint's cluster: it is in maintenance mode, or the address is another cluster's",
    };
  }
  const names = /certificate is valid for (.+), not ([^"\s]+)/.exec(detail);
  if (names) {
    return {
      code: "nameNotInCertificate",
      sentence: `has a certificate for ${names[1]} and not for "${names[2]}": ask for it by what it names, or add "${names[2]}" to machine.certSANs of the node`,
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
  // The node itself says so of what it needs for an answer, such as containerd or etcd.
  return { code: "unreachable", sentence: `is not available now: ${detail}` };
}
