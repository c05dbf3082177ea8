import { CertificateProblem } from "./certificateProblem";
import type { ConnectionWatch } from "./nodeConnector";
import type { TalosErrorCode } from "./talosErrorCode";

/** Why there is no connection, with a sentence that follows the name of the endpoint. */
export interface ConnectionProblem {
  readonly code: TalosErrorCode;
  readonly sentence: string;
}

/** Socket errors, by their code in Node. */
const socketErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    "nothing listens there (connection refused): it is starting, restarting or not a Talos node",
  ECONNRESET: "it closed the connection: it is restarting, or does not accept this client",
  EPIPE: "it closed the connection: it is restarting, or does not accept this client",
  EHOSTUNREACH:
    "there is no route to it: check the address, and the routes and firewalls in between",
  ENETUNREACH: "there is no route to it: check the address, and this machine's network",
  ETIMEDOUT: "it does not respond: it is starting or off, or a firewall drops the packets",
  ENOTFOUND: "its name has no address: check the name, and whether its DNS record exists yet",
  EAI_AGAIN: "its name could not be looked up: check this machine's DNS",
};

const alerts: ReadonlyMap<number, ConnectionProblem> = new Map([
  [
    48,
    {
      code: "wrongCluster",
      sentence:
        "it does not know the CA of the client certificate (TLS alert 48); the credentials are of another cluster, or its machine.ca was changed",
    },
  ],
  [
    45,
    {
      code: "certificateExpired",
      sentence:
        "it refuses the client certificate as expired or not yet valid (TLS alert 45); issue new client credentials, or set its clock right",
    },
  ],
  [
    116,
    {
      code: "certificateRequired",
      sentence:
        "it runs a configuration and requires a client certificate (TLS alert 116); use the client credentials of its cluster",
    },
  ],
  ...[42, 43, 44, 46].map((alert): [number, ConnectionProblem] => [
    alert,
    {
      code: "certificateRejected",
      sentence: `it refuses the kind of client certificate (TLS alert ${alert}); it accepts only those whose extended key usage is clientAuth alone`,
    },
  ]),
]);

/** Explains why a connection to `address` failed or broke. */
export function explainConnection(
  address: string,
  { stage, failure }: ConnectionWatch,
): ConnectionProblem {
  if (failure instanceof CertificateProblem) {
    return { code: failure.kind, sentence: `answered at ${address}, but ${failure.message}` };
  }
  const alert = failure && findTlsAlert(failure);
  const refused = alert === undefined ? undefined : alerts.get(alert);
  if (refused) {
    return { code: refused.code, sentence: `answered at ${address}, but ${refused.sentence}` };
  }
  const systemCode = failure && "code" in failure ? String(failure.code) : "";
  const reason = socketErrors[systemCode] ?? failure?.message ?? withoutFailure[stage];
  return { code: "unreachable", sentence: `cannot be reached at ${address}: ${reason}` };
}

/** Explains why there was no connection to `address` in time. */
export function explainSilence(
  address: string,
  watch: ConnectionWatch,
  duration: string,
): ConnectionProblem {
  if (watch.failure) {
    return explainConnection(address, watch);
  }
  const reason = {
    dialling: `no connection within ${duration}: it is starting or off, or a firewall drops the packets`,
    handshaking: `it accepted the connection but did not finish the TLS handshake within ${duration}`,
    established: `it finished the TLS handshake but did not speak HTTP/2 within ${duration}`,
  }[watch.stage];
  return { code: "unreachable", sentence: `cannot be reached at ${address}: ${reason}` };
}

/** The reasons if no socket reported an error. A name lookup comes before any socket. */
const withoutFailure = {
  dialling:
    "its name could not be looked up: check the name, whether its DNS record exists yet, and this machine's DNS",
  handshaking: "it closed the connection before the TLS handshake was complete",
  established: "it closed the connection: it is restarting, or does not accept this client",
};

/**
 * TLS alerts with which a Talos node refuses a client's certificate, by number (RFC 8446, section
 * 6).
 */
const alertNames: ReadonlyMap<number, string> = new Map([
  [42, "bad certificate"],
  [43, "unsupported certificate"],
  [44, "certificate revoked"],
  [45, "certificate expired"],
  [46, "certificate unknown"],
  [48, "unknown ca"],
  [116, "certificate required"],
]);

/**
 * The number of the TLS alert in an error; undefined without one.
 *
 * The texts of OpenSSL and grpc-js differ between versions. With TLS 1.3 they also differ between
 * runs, because the alert comes after the client's side of the handshake. All of them contain the
 * number and the name of the alert.
 */
export function findTlsAlert(error: Error): number | undefined {
  const code = "code" in error ? String(error.code) : "";
  const text = `${code} ${error.message}`.replaceAll("_", " ").toLowerCase();
  const number = /\balert number (\d+)/.exec(text)?.[1];
  if (number !== undefined) {
    return Number(number);
  }
  for (const [alert, name] of alertNames) {
    if (text.includes(`alert ${name}`)) {
      return alert;
    }
  }
  return undefined;
}

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
