import { CertificateProblem } from "./certificateProblem";
import type { ConnectionWatch } from "./nodeConnector";
import type { TalosErrorCode } from "./talosErrorCode";
import { findTlsAlert } from "./tlsAlert";

/** Why there is no connection, with a sentence that goes after the name of what was dialled. */
export interface ConnectionProblem {
  readonly code: TalosErrorCode;
  readonly sentence: string;
}

/** What the errors of sockets mean, by their code in Node. */
export const socketErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    "nothing listens there (connection refused): it is starting, restarting or no Talos node",
  ECONNRESET: "it broke the connection off: it is restarting, or does not take this client",
  EPIPE: "it broke the connection off: it is restarting, or does not take this client",
  EHOSTUNREACH:
    "there is no route to it: check the address, and the routes and firewalls in between",
  ENETUNREACH: "there is no route to it: check the address, and this machine's network",
  ETIMEDOUT: "it does not react: it is starting or off, or a firewall drops what is sent to it",
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
        "it refuses the client certificate as expired or not valid yet (TLS alert 45); issue new client credentials, or set its clock right",
    },
  ],
  [
    116,
    {
      code: "certificateRequired",
      sentence:
        "it runs a configuration and wants a client certificate (TLS alert 116); use the client credentials of its cluster",
    },
  ],
  ...[42, 43, 44, 46].map((alert): [number, ConnectionProblem] => [
    alert,
    {
      code: "certificateRejected",
      sentence: `it refuses the client certificate as unfit (TLS alert ${alert}); it takes those whose extended key usage is clientAuth and nothing else`,
    },
  ]),
]);

/** Explains why a connection to `address` did not come about, or broke off. */
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

/** Explains why a connection to `address` did not come about in the time there was. */
export function explainSilence(
  address: string,
  watch: ConnectionWatch,
  duration: string,
): ConnectionProblem {
  if (watch.failure) return explainConnection(address, watch);
  const reason = {
    dialling: `no connection came about within ${duration}: it is starting or off, or a firewall drops what is sent to it`,
    handshaking: `it took the connection but finished no TLS handshake within ${duration}`,
    established: `it finished the TLS handshake but did not speak HTTP/2 within ${duration}`,
  }[watch.stage];
  return { code: "unreachable", sentence: `cannot be reached at ${address}: ${reason}` };
}

/** Where no socket reported an error: names are looked up before there is one. */
const withoutFailure = {
  dialling:
    "its name could not be looked up: check the name, whether its DNS record exists yet, and this machine's DNS",
  handshaking: "it closed the connection before the TLS handshake was done",
  established: "it closed the connection: it is restarting, or does not take this client",
};
