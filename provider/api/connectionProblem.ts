import { CertificateProblem } from "./certificateProblem";
import type { ConnectionWatch } from "./nodeConnector";
import type { TalosErrorCode } from "./talosErrorCode";
import { findTlsAlert } from "./tlsAlert";

/** Why there is no connection, with a sentence that follows the name of the endpoint. */
export interface ConnectionProblem {
  readonly code: TalosErrorCode;
  readonly sentence: string;
}

/** Socket errors, by their code in Node. */
export const socketErrors: Readonly<Record<string, string>> = {
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
  if (watch.failure) return explainConnection(address, watch);
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
